Error.stackTraceLimit = 3; function a(n) { if (n) return a(n - 1); return new Error('x').stack; } console.log(a(6));
Error.stackTraceLimit = 0; console.log(a(2)); Error.stackTraceLimit = 200; console.log(a(30).split('\n').length); delete Error.stackTraceLimit; console.log(a(1)); Error.stackTraceLimit = Infinity; console.log(a(30).split('\n').length);
