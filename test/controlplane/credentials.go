package controlplane

import (
	"context"
	"crypto/rand"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	tokensFile  = "tokens.csv"
	accountsKey = "service-accounts.key"
	caFile      = "ca.crt"
)

// writeCredentials makes what both sides need to know each other: the CA and a certificate for the server,
// a token for each user. They are new for each control plane, also on a data folder used before.
func (c *ControlPlane) writeCredentials(context.Context) (err error) {
	if c.ca, err = newAuthority(); err != nil {
		return fmt.Errorf("cannot make a CA: %w", err)
	}
	if err := os.WriteFile(c.CAFile(), c.ca.pem, 0o600); err != nil {
		return err
	}
	if _, _, err := c.IssueCert("kube-apiserver"); err != nil {
		return err
	}
	if _, err := writeKey(c.path(accountsKey)); err != nil {
		return err
	}
	if err := c.writeTokens(); err != nil {
		return err
	}
	if !c.opts.Audit {
		return nil
	}
	return writeAuditPolicy(c.dir, c.schedulers())
}

// writeTokens gives each user a random token. A line is token, user, UID, groups.
func (c *ControlPlane) writeTokens() error {
	c.tokens = map[string]string{}
	var lines [][]string
	for _, user := range c.opts.users() {
		c.tokens[user.Name] = rand.Text()
		lines = append(lines, []string{c.tokens[user.Name], user.Name, user.Name, strings.Join(user.Groups, ",")})
	}
	file, err := os.OpenFile(c.path(tokensFile), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	return csv.NewWriter(file).WriteAll(lines)
}

// CAFile is the certificate that clients verify the API server with.
func (c *ControlPlane) CAFile() string { return c.path(caFile) }

// IssueCert makes a serving certificate for another server on loopback, say a scheduler, a proxy or a webhook.
// Clients that trust CAFile trust it.
func (c *ControlPlane) IssueCert(name string) (certFile, keyFile string, err error) {
	return c.ca.issue(name, filepath.Join(c.dir, name))
}

// schedulers returns the names of all users that act as a scheduler.
func (c *ControlPlane) schedulers() []string {
	names := []string{Scheduler}
	for _, user := range c.opts.Users {
		if user.LikeScheduler {
			names = append(names, user.Name)
		}
	}
	return names
}

// grantSchedulers adds the users that are like the scheduler wherever Kubernetes binds a role to it.
func (c *ControlPlane) grantSchedulers(ctx context.Context) error {
	if len(c.schedulers()) == 1 {
		return nil
	}
	rbac := c.Client(Admin).RbacV1()
	cluster, err := rbac.ClusterRoleBindings().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, binding := range cluster.Items {
		if c.addSchedulers(&binding.Subjects) {
			if _, err := rbac.ClusterRoleBindings().Update(ctx, &binding, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
	}
	local, err := rbac.RoleBindings(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, binding := range local.Items {
		if c.addSchedulers(&binding.Subjects) {
			if _, err := rbac.RoleBindings(binding.Namespace).Update(ctx, &binding, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// addSchedulers adds users to the subjects of a binding if the scheduler is one of them.
func (c *ControlPlane) addSchedulers(subjects *[]rbacv1.Subject) bool {
	for _, subject := range *subjects {
		if subject.Kind != rbacv1.UserKind || subject.Name != Scheduler {
			continue
		}
		for _, name := range c.schedulers()[1:] {
			*subjects = append(*subjects, rbacv1.Subject{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: name})
		}
		return true
	}
	return false
}
