fn main() {
    let run = std::env::args().skip(2).find(|a| !a.starts_with("--"));
    let server = web_server::Server::bind(web_server::Options { folder: std::env::current_dir().unwrap(), run, port: 0 }).unwrap();
    println!("{}", server.url());
    server.run().unwrap();
}
