import commonjs from '@rollup/plugin-commonjs';
import resolve from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';

export default { input: 'src/index.js', output: [{ dir: 'out/es', format: 'es', sourcemap: true }, { dir: 'out/min', format: 'cjs', plugins: [terser()] }], plugins: [resolve(), commonjs()] };
