//! A scripted runtime.
