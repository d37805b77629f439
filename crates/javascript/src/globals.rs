//! What every program finds there without declaring it.

/// Whether Node has a global of this name, or gives one to each CommonJS module, in any of the versions that are recorded.
pub fn is_global(name: &str) -> bool {
    GLOBALS.binary_search(&name).is_ok()
}

/// In the order of their bytes.
#[rustfmt::skip]
const GLOBALS: [&str; 142] = [
    "AbortController", "AbortSignal", "AggregateError", "Array", "ArrayBuffer", "AsyncDisposableStack", "Atomics",
    "BigInt", "BigInt64Array", "BigUint64Array", "Blob", "Boolean", "BroadcastChannel", "Buffer",
    "ByteLengthQueuingStrategy", "CloseEvent", "CompressionStream", "CountQueuingStrategy", "Crypto", "CryptoKey",
    "CustomEvent", "DOMException", "DataView", "Date", "DecompressionStream", "DisposableStack", "Error",
    "ErrorEvent", "EvalError", "Event", "EventSource", "EventTarget", "File", "FinalizationRegistry", "Float16Array",
    "Float32Array", "Float64Array", "FormData", "Function", "Headers", "Int16Array", "Int32Array", "Int8Array",
    "Intl", "Iterator", "JSON", "Map", "Math", "MessageChannel", "MessageEvent", "MessagePort", "Navigator", "Number",
    "Object", "Performance", "PerformanceEntry", "PerformanceMark", "PerformanceMeasure", "PerformanceObserver",
    "PerformanceObserverEntryList", "PerformanceResourceTiming", "Promise", "Proxy", "RangeError",
    "ReadableByteStreamController", "ReadableStream", "ReadableStreamBYOBReader", "ReadableStreamBYOBRequest",
    "ReadableStreamDefaultController", "ReadableStreamDefaultReader", "ReferenceError", "Reflect", "RegExp",
    "Request", "Response", "Set", "SharedArrayBuffer", "Storage", "String", "SubtleCrypto", "SuppressedError",
    "Symbol", "SyntaxError", "TextDecoder", "TextDecoderStream", "TextEncoder", "TextEncoderStream",
    "TransformStream", "TransformStreamDefaultController", "TypeError", "URIError", "URL", "URLPattern",
    "URLSearchParams", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WeakMap", "WeakRef",
    "WeakSet", "WebAssembly", "WebSocket", "WritableStream", "WritableStreamDefaultController",
    "WritableStreamDefaultWriter", "__dirname", "__filename", "atob", "btoa", "clearImmediate", "clearInterval",
    "clearTimeout", "console", "crypto", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent",
    "escape", "eval", "exports", "fetch", "global", "globalThis", "isFinite", "isNaN", "localStorage", "module",
    "navigator", "parseFloat", "parseInt", "performance", "process", "queueMicrotask", "require", "sessionStorage",
    "setImmediate", "setInterval", "setTimeout", "structuredClone", "unescape",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_sorted() {
        assert!(GLOBALS.is_sorted());
    }
}
