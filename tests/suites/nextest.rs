//! nextest: partitions whose verdict is that of the single run, the verdict as a case of its own, and
//! every flag that nextest has.

#[path = "nextest/apart.rs"]
mod apart;
#[path = "nextest/flags.rs"]
mod flags;
#[path = "nextest/parts.rs"]
mod parts;
#[path = "nextest/sentinel.rs"]
mod sentinel;
#[path = "nextest/verdict_case.rs"]
mod verdict_case;
#[path = "nextest/waiting.rs"]
mod waiting;
