package workload

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// formula is {{i}}, {{i mod 3}}, {{i + 1}} or {{i mod 3 + 1}}.
var formula = regexp.MustCompile(`\{\{i(?: mod (\d+))?(?: \+ (\d+))?\}\}`)

// expand puts an object's name for $name and computes formulas of its number i.
func expand(text, name string, i int) (string, error) {
	text = strings.ReplaceAll(text, "$name", name)
	text = formula.ReplaceAllStringFunc(text, func(found string) string {
		parts := formula.FindStringSubmatch(found)
		value := i
		if mod, _ := strconv.Atoi(parts[1]); mod > 0 {
			value %= mod
		}
		plus, _ := strconv.Atoi(parts[2])
		return strconv.Itoa(value + plus)
	})
	if strings.Contains(text, "{{") {
		return "", fmt.Errorf("cannot compute %q: want {{i}}, {{i mod A}}, {{i + B}} or {{i mod A + B}}", text)
	}
	return text, nil
}
