// Debian's Chromium, driven by playwright-core. Where it is missing it is installed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { chromium } from 'playwright-core';

const PATH = '/usr/bin/chromium';

export async function launch() {
  if (!fs.existsSync(PATH)) install();
  return await chromium.launch({
    executablePath: PATH,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

function install() {
  const apt = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  const packages = ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'];
  if (!apt(...packages) && !(apt('update') && apt(...packages))) throw new Error('Chromium is not installed, and apt-get cannot install it');
}
