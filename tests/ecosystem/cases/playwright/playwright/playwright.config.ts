import { defineConfig } from '@playwright/test';
export default defineConfig({ testDir: 'tests', timeout: 600_000, expect: { timeout: 600_000 } });
