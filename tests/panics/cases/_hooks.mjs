export async function load(url, context, next) {
  const result = await next(url, context);
  return url.endsWith('imported.mjs') ? { ...result, source: `${result.source}\n console.log("hooked");` } : result;
}
