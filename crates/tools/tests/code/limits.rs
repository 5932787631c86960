//! How many calls of one program may overlap is configured, within bounds.

use dayfly_tools::{Registry, RegistryConfig};

#[test]
fn the_limit_of_sub_calls_is_validated_by_its_own_key() {
    for wrong in [0, 1_025] {
        let config = RegistryConfig::default().max_parallel_sub_calls(wrong);
        let error = Registry::builder().config(config).build().unwrap_err();
        assert_eq!(error.problems, [format!("`max_parallel_sub_calls` is {wrong}; it must be from 1 to 1024")]);
    }
    assert_eq!(RegistryConfig::default().max_parallel_sub_calls, 10);
    assert!(RegistryConfig::default().max_parallel_sub_calls(1).validate().is_ok());
}
