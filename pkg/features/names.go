package features

import "k8s.io/component-base/featuregate"

// The gates that somebody here asks for by name.
const (
	CoordinatedLeaderElection               featuregate.Feature = "CoordinatedLeaderElection"
	DRADeviceBindingConditions              featuregate.Feature = "DRADeviceBindingConditions"
	DRAResourceClaimDeviceStatus            featuregate.Feature = "DRAResourceClaimDeviceStatus"
	DRASchedulerFilterTimeout               featuregate.Feature = "DRASchedulerFilterTimeout"
	DynamicResourceAllocation               featuregate.Feature = "DynamicResourceAllocation"
	InPlacePodLevelResourcesVerticalScaling featuregate.Feature = "InPlacePodLevelResourcesVerticalScaling"
	MatchLabelKeysInPodTopologySpread       featuregate.Feature = "MatchLabelKeysInPodTopologySpread"
	NodeDeclaredFeatures                    featuregate.Feature = "NodeDeclaredFeatures"
	PodLevelResources                       featuregate.Feature = "PodLevelResources"
	SchedulerPopFromBackoffQ                featuregate.Feature = "SchedulerPopFromBackoffQ"
	ScoreAllNodes                           featuregate.Feature = "ScoreAllNodes"
	StorageCapacityScoring                  featuregate.Feature = "StorageCapacityScoring"
	TaintTolerationComparisonOperators      featuregate.Feature = "TaintTolerationComparisonOperators"
)
