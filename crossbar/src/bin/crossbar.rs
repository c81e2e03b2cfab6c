//! The command `crossbar`.

fn main() -> std::process::ExitCode {
    crossbar::__private::cli_main()
}
