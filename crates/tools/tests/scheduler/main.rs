//! Which calls overlap, and in which order the rest happens.

mod hall;
mod model;
mod schedules;
