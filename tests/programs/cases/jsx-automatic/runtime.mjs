export const Fragment = 'fragment';
export const jsx = (type, props, key) => ({ call: 'jsx', type: type.name ?? type, props, key });
export const jsxs = (type, props, key) => ({ ...jsx(type, props, key), call: 'jsxs' });
export const createElement = (type, props, ...children) => ({ call: 'createElement', type, props, children });
