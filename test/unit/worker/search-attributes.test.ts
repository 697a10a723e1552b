import { expect, it } from 'vitest';
import { type LogFields, silentLogger } from '../../../src/platform/logger.ts';
import { type AttributesConnection, ensureSearchAttributes } from '../../../src/worker/search-attributes.ts';
import { SEARCH_ATTRIBUTES } from '../../../temporal.config.ts';

const ALL = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);

function refusal(code: number): Error {
  return Object.assign(new Error('refused'), { code });
}

/** A server with these attributes; one that `lists` none keeps its service for operators to itself, as Temporal Cloud does. */
function server({ has, lists }: { readonly has: readonly string[]; readonly lists: boolean }) {
  const added: string[] = [];
  const connection = {
    operatorService: {
      listSearchAttributes: async () => {
        if (!lists) throw refusal(7);
        return { customAttributes: Object.fromEntries(has.map((name) => [name, 2])) };
      },
      addSearchAttributes: async ({ searchAttributes }: { searchAttributes: Record<string, number> }) => {
        if (!lists) throw refusal(7);
        added.push(...Object.keys(searchAttributes));
      },
    },
    workflowService: {
      countWorkflowExecutions: async ({ query }: { query: string }) => {
        if (!has.some((name) => query.startsWith(`${name} `))) throw refusal(3);
        return {};
      },
    },
  } as unknown as AttributesConnection;
  const result: LogFields[] = [];
  const log = { ...silentLogger, warn: (_: string, fields: LogFields = {}) => void result.push(fields) };
  return { added, result, ensure: () => ensureSearchAttributes(connection, 'default', log) };
}

it('adds what is missing, and nothing else', async () => {
  const { ensure, added, result } = server({ has: ALL.slice(1), lists: true });
  await ensure();
  expect([added, result]).toEqual([[ALL[0]], []]);
});

it('goes on where only an administrator may look, and says what is missing', async () => {
  const { ensure, result } = server({ has: ALL.slice(2), lists: false });
  await ensure();
  expect(result).toMatchObject([{ name: ALL.slice(0, 2).join(' '), namespace: 'default' }]);
});

it('says nothing there where nothing is missing', async () => {
  const { ensure, result } = server({ has: ALL, lists: false });
  await ensure();
  expect(result).toEqual([]);
});
