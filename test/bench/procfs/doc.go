// Package procfs reads what Linux tells about processes and about the machine in /proc: CPU time, peak memory,
// and what was going on besides.
//
// It promises plain numbers at the moment of asking; who asks takes the differences. CPU times come in ticks of
// 10 ms, so they are fine from a few hundred milliseconds on.
package procfs
