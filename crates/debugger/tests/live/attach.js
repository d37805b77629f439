// Attaches to a halted program as Chrome DevTools does: `attach.js ADDRESS EXPRESSION…`. Prints where it stands and what the
// expressions are there, steps over, prints where it stands then, and lets the program run on.
'use strict';
const [address, ...expressions] = process.argv.slice(2);
const socket = new WebSocket(address);
const replies = new Map();
const pauses = [];
let onPause;
let nSent = 0;

socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.id !== undefined) replies.get(message.id)(message.result ?? message);
  if (message.method !== 'Debugger.paused') return;
  pauses.push(message.params.callFrames);
  onPause?.();
};

setTimeout(() => process.exit(1), 20_000);

function post(method, params) {
  return new Promise((resolve) => {
    replies.set(++nSent, resolve);
    socket.send(JSON.stringify({ id: nSent, method, params }));
  });
}

async function paused() {
  if (pauses.length === 0) await new Promise((resolve) => (onPause = resolve));
  return pauses.shift();
}

async function tell([top]) {
  console.log(`${top.functionName || '(top level)'}:${top.location.lineNumber + 1}`);
  for (const expression of expressions) {
    const { result } = await post('Debugger.evaluateOnCallFrame', { callFrameId: top.callFrameId, expression });
    console.log(`${expression} = ${result.description ?? result.value}`);
  }
}

socket.onopen = async () => {
  await post('Runtime.enable');
  await post('Debugger.enable');
  await post('Runtime.runIfWaitingForDebugger');
  await tell(await paused());
  await post('Debugger.stepOver');
  await tell(await paused());
  await post('Debugger.resume');
  socket.close();
  process.exit();
};
