//! What is shipped has one copy of functions that came out alike, unless their address is taken: it may be compared. The linker of the
//! toolchain does that, on this platform.

fn main() {
    println!("cargo:rerun-if-env-changed=WHEREFORE_SHIPPED");
    let is_of = |name: &str, value: &str| std::env::var(name).is_ok_and(|is| is == value);
    let has_lld = is_of("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is_of("CARGO_CFG_TARGET_OS", "linux")
        && is_of("CARGO_CFG_TARGET_ENV", "gnu");
    if has_lld && std::env::var_os("WHEREFORE_SHIPPED").is_some() {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=safe");
    }
}
