-- nvim --headless -u NONE -c 'luafile nvim.lua', in a project with shop.js. PLUGIN: a checkout of nvim-dap; WHEREFORE: the binary.
-- Steps back from a crash, sets a data breakpoint, continues backwards to the write; prints what Neovim shows.
vim.o.runtimepath = vim.o.runtimepath .. ',' .. vim.env.PLUGIN
local dap = require('dap')
dap.adapters.wherefore = { type = 'executable', command = vim.env.WHEREFORE, args = { 'dap' } }

local stopped
dap.listeners.after.event_stopped.test = function(_, body) stopped = body end

local function say(...) io.stdout:write(string.format(...), '\n') end

local function wait(what, done)
  if not vim.wait(30000, done, 20) then
    say('FAILED: waited for %s', what)
    vim.cmd('cquit 1')
  end
end

-- What moves, and where the cursor of Neovim stands then.
local function go(name, move)
  stopped = nil
  move()
  wait(name, function()
    local session = dap.session()
    return stopped and session and session.stopped_thread_id and session.current_frame
  end)
  vim.wait(200)
  local frame = dap.session().current_frame
  local file, line = vim.fn.expand('%:t'), vim.fn.line('.')
  say('%s: %s%s', name, stopped.reason, stopped.description and ' (' .. stopped.description .. ')' or '')
  say('  %s at %s:%d; the cursor is on %s:%d: %s', frame.name, frame.source.name, frame.line, file, line, vim.trim(vim.fn.getline('.')))
  return frame
end

local function request(command, arguments)
  local answer
  dap.session():request(command, arguments, function(err, body) answer = { err = err, body = body } end)
  wait(command, function() return answer end)
  assert(not answer.err, vim.inspect(answer.err))
  return answer.body
end

local function check(is_so, what)
  if not is_so then
    say('FAILED: %s', what)
    vim.cmd('cquit 1')
  end
end

vim.cmd('edit shop.js')
local crash = go('launch', function()
  dap.run({ type = 'wherefore', request = 'launch', name = 'Why?', command = 'node shop.js', cwd = vim.fn.getcwd() })
end)
check(crash.line == 17, 'it opens at the crash')
local before = go('step_back', dap.step_back)
check(before.line == 17 and stopped.reason == 'step', 'it steps back')

local info = request('dataBreakpointInfo', { name = 'cart.lines[1].price', frameId = before.id })
say('data breakpoint: %s', info.description)
local set = request('setDataBreakpoints', { breakpoints = { { dataId = info.dataId } } })
check(set.breakpoints[1].verified, 'the breakpoint is verified')
local write = go('reverse_continue', dap.reverse_continue)
check(write.source.name == 'offers.js' and write.line == 7, 'it comes to the write')
check(vim.fn.expand('%:t') == 'offers.js' and vim.fn.line('.') == 7, 'Neovim shows the write')
local value = request('evaluate', { expression = 'percent', frameId = write.id, context = 'hover' })
say('percent is %s', value.result)
go('reverse_continue', dap.reverse_continue)
say('passed')
vim.cmd('qall!')
