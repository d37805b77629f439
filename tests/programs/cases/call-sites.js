// node: >=22
// Places that Node asks V8 for natively, without a stack trace that anybody could look through.
const util = require('util');
const { f } = { f(depth) { const sites = depth ? this.f(depth - 1) : util.getCallSites(4); return [1].map(() => sites)[0]; } , self: 1 };
const api = { f };
const show = (sites) => sites.forEach((site) => console.log(site.functionName, site.scriptName.split('/').pop(), site.lineNumber, site.column ?? site.columnNumber));
show(api.f(0)); show(api.f(2)); const x = { y: [util.getCallSites(1)] }; show(x.y[0]);
process.report.reportOnSignal; const report = process.report.getReport(); console.log(report.javascriptStack.stack.map((line) => line.replace(/\(.*\//, '(')).filter((line) => line.includes('call-sites')));
