//! The faces as their users meet them: the test binary under libtest's flags, the commands with
//! theirs, what each says when it cannot run, and the exit codes.

#[path = "faces/adaptive.rs"]
mod adaptive;
#[path = "faces/codes.rs"]
mod codes;
#[path = "faces/command.rs"]
mod command;
#[path = "faces/doctor.rs"]
mod doctor;
#[path = "faces/flags.rs"]
mod flags;
#[path = "faces/floors.rs"]
mod floors;
#[path = "faces/libtest.rs"]
mod libtest;
#[path = "faces/log.rs"]
mod log;
#[path = "faces/mistakes.rs"]
mod mistakes;
#[path = "faces/plan.rs"]
mod plan;
#[path = "faces/starting.rs"]
mod starting;
#[path = "faces/task_looks.rs"]
mod task_looks;
#[path = "faces/test_face.rs"]
mod test_face;
#[path = "faces/unmet.rs"]
mod unmet;
