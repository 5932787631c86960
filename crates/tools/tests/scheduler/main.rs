//! Which calls overlap, and in which order the rest happens.

mod batch;
mod hall;
mod model;
mod runs;
mod schedules;
