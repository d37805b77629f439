#!/usr/bin/env node
console.log("tool", process.argv.slice(2)); throw new Error("a defect");
