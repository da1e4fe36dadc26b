//! The five reports that Plywood grew out of, each as one experiment.
