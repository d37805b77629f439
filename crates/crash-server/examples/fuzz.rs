use crash_server::*;
fn main() {
    let database = match std::env::args().nth(2) {
        Some(u) => Database::Url(u),
        None => Database::Folder("/tmp/server/fuzzdata".into()),
    };
    println!("{}", add_key(&database, "f", KeyKind::Report).unwrap());
    println!("{}", add_key(&database, "f", KeyKind::Operator).unwrap());
    run(
        Options {
            listen: std::env::args().nth(1).unwrap().parse().unwrap(),
            database,
            budget: Budget { per_user: 1.0, users: 1.0 },
            patience: Patience { sightings: 1 },
            rate: Rate { per_second: 1e6 },
            keep: std::time::Duration::from_secs(100000),
        },
        Log::new(|l| eprintln!("{l}")),
    )
    .unwrap();
}
