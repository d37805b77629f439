import * as esbuild from 'esbuild';

const plugin = { name: 'virtual', setup(build) { build.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: 'v' })); build.onLoad({ filter: /.*/, namespace: 'v' }, ({ path }) => ({ contents: `export default ${JSON.stringify(path)}` })); } };
const result = await esbuild.build({ entryPoints: ['src/index.js'], bundle: true, splitting: true, format: 'esm', outdir: 'out', metafile: true, sourcemap: true, minify: true, plugins: [plugin] });
console.log(await esbuild.analyzeMetafile(result.metafile), (await esbuild.transform('let x: number = 1', { loader: 'ts' })).code, esbuild.transformSync('a ?? b', { target: 'es2019' }).code);
await esbuild.build({ stdin: { contents: 'import x from "./none"; let y = ;' }, bundle: true, write: false, logLevel: 'silent' }).catch((error) => console.log(error.message, error.errors.length));
const context = await esbuild.context({ stdin: { contents: 'import v from "virtual:x"; console.log(v)' }, bundle: true, write: false, plugins: [plugin] });
console.log((await context.rebuild()).outputFiles[0].text);
await context.dispose();
