//! The command `cargo crossbar`.

fn main() -> std::process::ExitCode {
    crossbar::__private::cli_main()
}
