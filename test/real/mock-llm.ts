// Starts the stand-in for both model APIs, and makes a world in which the real CLIs know nothing else: no account, no
// update, no telemetry, a home of their own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'

export interface MockLlm {
  /** The environment for the CLIs. */
  readonly env: NodeJS.ProcessEnv
  /** Resolves when the model has been asked to play `scenario` more than `before` times. */
  waitForRequest(scenario: string, before: number): Promise<void>
  requests(scenario: string): number
  stop(): Promise<void>
}

export async function startMockLlm(program: string): Promise<MockLlm> {
  const directory = mkdtempSync(join(tmpdir(), 'agency-mock-'))
  const [portFile, log] = [join(directory, 'port'), join(directory, 'log')]
  const child = spawn(process.execPath, [program, '--port', '0', '--port-file', portFile, '--log', log], {
    stdio: 'ignore',
  })
  const port = await vi.waitFor(() => readPort(portFile), { timeout: 10_000 })
  const requests = (scenario: string): number => {
    const text = existsSync(log) ? readFileSync(log, 'utf8') : ''
    return text.split(`"scenario":"${scenario}"`).length - 1
  }
  return {
    env: cliEnvironment(directory, port),
    requests,
    waitForRequest: (scenario, before) =>
      expect.poll(() => requests(scenario), { timeout: 30_000 }).toBeGreaterThan(before),
    async stop() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function readPort(file: string): string {
  const port = readFileSync(file, 'utf8').trim()
  if (port === '') throw new Error('not yet')
  return port
}

function cliEnvironment(directory: string, port: string): NodeJS.ProcessEnv {
  const codexHome = join(directory, 'codex')
  mkdirSync(codexHome)
  writeFileSync(join(codexHome, 'config.toml'), codexConfig(port))
  return {
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: 'x',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    DISABLE_AUTOUPDATER: '1',
    CODEX_HOME: codexHome,
    MOCK_API_KEY: 'x',
  }
}

const codexConfig = (port: string): string => `
model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false
analytics.enabled = false
otel.metrics_exporter = "none"
features = { plugins = false, apps = false, remote_plugin = false }
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:${port}/v1"
env_key = "MOCK_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`
