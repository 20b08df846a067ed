// Package deploy tests the files that people deploy the scheduler with: samples in
// config/, manifests/, and the image. They are read by who will read them: the scheduler's
// own loader, the API's decoder, kubeadm, systemd.
package deploy
