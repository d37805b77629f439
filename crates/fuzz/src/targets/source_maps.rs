//! A source map: as compiled code brings it along, and as it is uploaded to `wherefore collect`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use source_map::SourceMap;
use trace_format::{read_origins, write_origins};

pub fn source_maps(input: &[u8]) {
    let _ = crash_server::check_map(input);
    let code = format!("f();\n//# sourceMappingURL=data:application/json;base64,{}", STANDARD.encode(input));
    let map = SourceMap::of(&code, "/nowhere/app.js").expect("the code names a map");
    if let Some(origins) = map.decode() {
        let again = read_origins(&write_origins(&origins), "again");
        assert_eq!(again.as_ref().ok(), Some(&origins));
    }
    // The whole as code that names a map, wherever that is.
    SourceMap::of(&String::from_utf8_lossy(input), "/nowhere/app.js");
}
