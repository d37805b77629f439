// TypeScript with decorators, as `nest start` compiles it.
const ts = require('typescript');
const fs = require('node:fs');
const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, experimentalDecorators: true, emitDecoratorMetadata: true, inlineSourceMap: true };
require.extensions['.ts'] = (module, file) => module._compile(ts.transpileModule(fs.readFileSync(file, 'utf8'), { compilerOptions: options, fileName: file }).outputText, file);
