import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_STAGES } from '../../src/domain/mapping/stages.ts';
import { DEFAULT_RETENTION } from '../../src/domain/record/retention.ts';
import { loadTenants } from '../../src/platform/tenant-file.ts';
import { env, GOOD, problems, SIMULATORS, tenantFolder } from '../support/stack/tenant-files.ts';

let files: ReturnType<typeof tenantFolder>;
beforeEach(() => {
  files = tenantFolder();
});
afterEach(() => files.remove());

describe('a good tenant file', () => {
  it('becomes a tenant, with secrets behind reveal()', () => {
    const tenant = files.load(GOOD);
    expect(tenant).toMatchObject({
      tenant: 'acme',
      vendor: {
        salesBaseUrl: 'http://127.0.0.1:4010',
        orderBaseUrl: 'http://127.0.0.1:4010',
        keyHeader: 'X-Our-Key',
        partnerId: 'P000123',
        poll: { everyMs: 90_000, overlapMs: 600_000 },
        ratePerSecond: 2.5,
      },
      salesforce: {
        loginUrl: 'http://127.0.0.1:4020',
        apiVersion: '67.0',
        organizationId: '00D000000000001EAA',
        auth: { flow: 'client-credentials', clientId: '3MVG9' },
        sweep: { everyMs: 300_000, overlapMs: 900_000 },
        multiCurrency: true,
        allowDuplicates: false,
        apiShare: 0.25,
      },
      webhooks: { actionIds: ['04k000000000001AAA'] },
      mapping: {
        partnerId: 'P000123',
        currency: 'EUR',
        zone: 'Europe/Paris',
        stages: DEFAULT_STAGES,
        values: {
          status: { VALIDATED: 'V_STAGE', LOST: 'LOST' },
          forecastCategory: {},
          reasonWon: {},
          reasonLost: { NO_PROJECT: 'NO_PROJ' },
          revenueType: {},
        },
        closeFromVendor: true,
        prefer: 'later',
      },
      importFromVendor: true,
    });
    expect(tenant.vendor.apiKey.reveal()).toBe('vendor-key');
    expect(tenant.webhooks.paths.map((path) => path.reveal())).toEqual([env.ACME_HOOK_PATH]);
    expect(JSON.stringify(tenant)).not.toMatch(/vendor-key|client-secret|whsec_|ppp/);
  });

  it('has defaults for what need not be said', () => {
    const tenant = files.load(`tenant: acme
vendor: { baseUrl: "https://vendor.example", apiKey: env:ACME_VENDOR_KEY, partnerId: P1 }
salesforce:
  loginUrl: https://acme.my.salesforce.com
  auth: { flow: client-credentials, clientId: c, clientSecret: env:ACME_SECRET }
currency: EUR
`);
    expect(tenant.vendor).toMatchObject({
      keyHeader: 'X-API-Key',
      poll: { everyMs: 60_000, overlapMs: 300_000 },
      ordersSince: null,
      ratePerSecond: 5,
      rateByQuota: true,
    });
    expect(tenant.salesforce).toMatchObject({
      apiVersion: '67.0',
      organizationId: null,
      multiCurrency: false,
      allowDuplicates: false,
      apiShare: 0.25,
      sweep: { everyMs: 300_000, overlapMs: 900_000 },
    });
    expect(tenant.webhooks).toEqual({ paths: [], keys: [], actionIds: [] });
    expect(tenant.matching).toEqual({ keys: ['customer', 'name'] });
    expect(tenant.guards).toEqual({ maxDetachShare: 0.2, minimum: 20, windowMs: 3_600_000 });
    expect(tenant.retention).toEqual(DEFAULT_RETENTION);
    expect(tenant.mapping).toMatchObject({ zone: 'UTC', closeFromVendor: false });
  });

  it('may name two addresses of the vendor, an unquoted version and a key file beside it', () => {
    files.put('key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
    const text = GOOD.replace(
      'baseUrl: http://127.0.0.1:4010/',
      'salesBaseUrl: https://s.example\n  orderBaseUrl: https://o.example',
    )
      .replace('"67.0"', '67.0')
      .replace(/auth: .*/, 'auth: { flow: jwt, clientId: c, username: u, privateKey: file:key.pem }');
    const tenant = files.load(text);
    expect(tenant.vendor).toMatchObject({
      salesBaseUrl: 'https://s.example',
      orderBaseUrl: 'https://o.example',
    });
    expect(tenant.salesforce.apiVersion).toBe('67.0');
    expect(tenant.salesforce.auth).toMatchObject({ flow: 'jwt', username: 'u' });
  });

  it('may take names that are no secrets from the environment too', () => {
    const tenant = files.load(GOOD.replace('clientId: 3MVG9', 'clientId: env:ACME_SHORT'));
    expect(tenant.salesforce.auth.clientId).toBe('short');
  });

  it('may let writes pass duplicate rules that only alert', () => {
    const tenant = files.load(GOOD.replace('multiCurrency: true', 'allowDuplicates: true'));
    expect(tenant.salesforce.allowDuplicates).toBe(true);
  });

  it.each([
    ['account', { by: 'account' }],
    ['{ user: ann@acme.example }', { by: 'user', username: 'ann@acme.example' }],
    ['{ queue: Deals }', { by: 'queue', name: 'Deals' }],
  ])('may say whose vendor-created deals are: %s', (text, owner) => {
    const imports = `imports: { owner: ${text}, recordType: Vendor_Deal, stage: Prospecting }\n`;
    const tenant = files.load(`${GOOD}${imports}`);
    expect(tenant.imports).toEqual({ owner, recordType: 'Vendor_Deal', accountRecordType: null });
    expect(tenant.mapping.importStage).toBe('Prospecting');
  });

  it('may list the codes that the vendor gave it, each once', () => {
    const given = (lists: string) => GOOD.replace('ratePerSecond: 2.5', `lists: ${lists}`);
    const lists = { competitors: ['ACME', 'Globex Inc'], gtmTacticId: ['T-1'] };
    expect(files.load(given('{ competitors: [ACME, Globex Inc], gtmTacticId: [T-1] }')).mapping.lists).toEqual(lists);
    expect(files.load(GOOD).mapping.lists).toBeUndefined();
    for (const wrong of ['[A, A]', '["A;B"]', '[" A"]', '[]', '[1]', 'ACME'])
      expect(() => files.load(given(`{ competitors: ${wrong} }`)), wrong).toThrow(/must be a list of codes, each once/);
    expect(() => files.load(given('{ competitor: [ACME] }'))).toThrow(/competitor is not .*competitors/s);
  });

  it('may have its deals travel by v0 of the vendor, whose revenue types are documented', () => {
    const { vendor, mapping } = files.load(GOOD.replace('ratePerSecond: 2.5', 'apiVersion: v0'));
    expect([vendor.apiVersion, mapping.apiVersion]).toEqual(['v0', 'v0']);
    expect(files.load(GOOD).mapping.apiVersion).toBeUndefined();
  });

  it('may say in which currencies prices are wanted', () => {
    const given = GOOD.replace('ratePerSecond: 2.5', 'catalog: { currencies: [EUR, CHF] }');
    expect(files.load(given).vendor.catalog.currencies).toEqual(['EUR', 'CHF']);
    expect(files.load(GOOD).vendor.catalog.currencies).toBeNull();
  });

  it.each(['none', 'task', 'bell', 'chatter'] as const)(
    'may say how owners are notified of orders: %s',
    (notifyOwner) => {
      expect(files.load(`${GOOD}orders: { notifyOwner: ${notifyOwner} }\n`).orders.notifyOwner).toBe(notifyOwner);
      expect(files.load(GOOD).orders.notifyOwner).toBe('none');
    },
  );

  it('may name the field with the purchase order, by which orders find their deal', () => {
    expect(files.load(`${GOOD}orders: { poReference: Customer_PO__c }\n`).orders.poReference).toBe('Customer_PO__c');
    expect(files.load(GOOD).orders.poReference).toBeNull();
    expect(() => files.load(`${GOOD}orders: { poReference: "a b" }\n`)).toThrow(/orders\.poReference must be a field/);
  });

  it('may say which offer a product belongs to', () => {
    const rules =
      'offers:\n  - { portfolio: "Design", level1: "A", offer: "O-1" }\n  - { trigram: "SVC", offer: null }\n';
    expect(files.load(`${GOOD}${rules}`).mapping.offers).toEqual([
      { portfolio: 'Design', level1: 'A', offer: 'O-1' },
      { trigram: 'SVC', offer: null },
    ]);
    expect(files.load(GOOD).mapping).not.toHaveProperty('offers');
  });

  it('may say how changes arrive, and where change events are followed', () => {
    const given = 'changes: pubsub, pubSub: { endpoint: "eu.pubsub.salesforce.com:7443", channel: /data/Own__chn }';
    const file = (text: string) => GOOD.replace('multiCurrency: true', text.replaceAll(', pubSub', '\n  pubSub'));
    expect(files.load(file(given)).salesforce).toMatchObject({
      changes: 'pubsub',
      pubSub: { endpoint: 'eu.pubsub.salesforce.com:7443', channel: '/data/Own__chn' },
    });
    expect(files.load(GOOD).salesforce.changes).toBe('outbound');
    const wrong = 'changes: grpc, pubSub: { endpoint: "https://api.pubsub.salesforce.com", channel: Own__chn }';
    expect(problems(files.put('wrong.yaml', file(wrong)))).toEqual([
      expect.stringMatching(/salesforce\.changes must be one of outbound, pubsub, both/),
      expect.stringMatching(/salesforce\.pubSub\.endpoint must be a host with its port/),
      expect.stringMatching(/salesforce\.pubSub\.channel must be a channel such as/),
    ]);
  });

  it('may hold two live webhook paths and keys', () => {
    const tenant = files.load(
      GOOD.replace('path: env:ACME_HOOK_PATH', 'path: [env:ACME_HOOK_PATH, env:ACME_NEXT_PATH]'),
    );
    expect(tenant.webhooks.paths).toHaveLength(2);
  });

  it('leaves a missing section to the simulators', () => {
    const tenant = files.load('tenant: demo\n', SIMULATORS);
    expect(tenant.vendor).toMatchObject({ salesBaseUrl: 'http://127.0.0.1:1', partnerId: 'PSIM' });
    expect(tenant.vendor.poll.everyMs).toBe(2000);
    expect(tenant.salesforce).toMatchObject({ loginUrl: 'http://127.0.0.1:2', sweep: { everyMs: 300_000 } });
    expect(tenant.webhooks.paths[0]?.reveal()).toBe('z'.repeat(64));
    expect(tenant.mapping).toMatchObject({
      partnerId: 'PSIM',
      currency: 'USD',
      values: { status: { LOST: 'SIM_LOST' } },
    });
  });

  it("takes no codes of the simulator when the vendor is a remote one, and no hook of the simulated CRM's", () => {
    const tenant = files.load(GOOD.replace(/webhooks: .*\n/, ''), SIMULATORS);
    expect(tenant.mapping.values.status).toEqual({ VALIDATED: 'V_STAGE', LOST: 'LOST' });
    expect(tenant.webhooks.paths).toEqual([]);
  });
});

describe('a bad tenant file', () => {
  it('is refused with every problem, its line, and the repair, in the order of the lines', () => {
    const path = files.put(
      'bad.yaml',
      `tenant: ACME
vendor:
  baseUrl: http://vendor.example
  apiKey: sk_live_hunter2
  keyHeadr: X
  poll: { evry: 60s, overlap: 5 }
  values:
    status: { VALIDTED: V }
salesforce:
  loginUrl: https://login.salesforce.com
  auth: { flow: jwt, clientId: c, clientSecret: env:ACME_SECRET, privateKey: file:nope.pem }
  sweep: { overlap: 1m }
webhooks: { path: env:ACME_SHORT, keys: [env:ACME_SHORT] }
dates: { zone: Mars/Olympus }
curency: EUR
closeFromVendor: "yes"
`,
    );
    const found = problems(path);
    expect(found).toEqual([
      expect.stringMatching(/^1: tenant must be a name of lower-case letters/),
      expect.stringMatching(/^1: currency is missing; it must be/),
      expect.stringMatching(/^2: vendor\.partnerId is missing; it must be your partner id/),
      expect.stringMatching(/^3: vendor\.baseUrl must start with https/),
      expect.stringMatching(/^4: vendor\.apiKey must be env:NAME or file:PATH, never the secret itself/),
      expect.stringMatching(/^5: vendor\.keyHeadr is not a known key; did you mean keyHeader\?/),
      expect.stringMatching(/^6: vendor\.poll\.overlap must be a duration/),
      expect.stringMatching(/^6: vendor\.poll\.evry is not a known key; did you mean every\?/),
      expect.stringMatching(/^8: vendor\.values\.status\.VALIDTED is not a known key; did you mean VALIDATED\?/),
      expect.stringMatching(/^11: salesforce\.auth\.username is missing/),
      expect.stringMatching(/^11: salesforce\.auth\.privateKey has no value: .*nope\.pem cannot be read \(ENOENT\)/),
      expect.stringMatching(/^11: salesforce\.auth\.clientSecret does not belong/),
      expect.stringMatching(/^12: salesforce\.sweep\.overlap must be 15m or more/),
      expect.stringMatching(/^13: webhooks\.path points to a value that is not a path segment of 16/),
      expect.stringMatching(/^13: webhooks\.keys\[0\] points to a value that is not a signing key/),
      expect.stringMatching(/^14: dates\.zone must be a time zone/),
      expect.stringMatching(/^15: curency is not a known key; did you mean currency\?/),
      expect.stringMatching(/^16: closeFromVendor must be true or false/),
    ]);
    expect(() => loadTenants([path], { env })).toThrow(/18 problems .*\n.*bad\.yaml:1: tenant must/);
    expect(() => loadTenants([path], { env })).not.toThrow(/hunter2|short\b/);
  });

  const edits: [string, (text: string) => string, RegExp][] = [
    ['an unset variable', (t) => t.replace('ACME_VENDOR_KEY', 'ACME_UNSET'), /^4: vendor\.apiKey .*UNSET is not set/],
    ['a password in an address', (t) => t.replace('//127', '//u:p@127'), /^3: vendor\.baseUrl must not hold/],
    ['a half of two addresses', (t) => t.replace('baseUrl', 'salesBaseUrl'), /^2: vendor must hold either/],
    ['all three addresses', (t) => t.replace('  apiKey', '  orderBaseUrl: https://o\n  apiKey'), /^2: vendor must/],
    ['a number as partner id', (t) => t.replace('P000123', '000123'), /^6: vendor\.partnerId .*in quotes/],
    ['an unknown flow', (t) => t.replace('client-credentials', 'password'), /^17: salesforce\.auth.* jwt or/],
    ['an unset name', (t) => t.replace('3MVG9', 'env:ACME_UNSET'), /^17: salesforce\.auth\.clientId has no value/],
    ['a dangerous key', (t) => `${t}__proto__: { x: 1 }\n`, /^25: __proto__ is not a known key/],
    ['an unknown tag', (t) => t.replace('P000123', '!!js/function x'), /^6: this is not valid YAML/],
    ['an empty section', (t) => t.replace(/^webhooks: .*/m, 'webhooks:'), /^20: webhooks must be a section/],
    [
      'three live keys',
      (t) => t.replace('[env:ACME_HOOK_KEY]', `[${Array(3).fill('env:ACME_HOOK_KEY')}]`),
      /^20: webhooks\.keys .*two/,
    ],
    ['an organization that is none', (t) => t.replace('00D0', '0010'), /^16: salesforce\.organizationId must/],
    ['a currency in words', (t) => t.replace('EUR', 'Euro'), /^22: currency must be/],
    [
      'no day',
      (t) => t.replace('ratePerSecond: 2.5', 'ordersSince: 2021-13-01'),
      /^8: vendor\.ordersSince must be a day/,
    ],
    ['a rate of zero', (t) => t.replace('2.5', '0'), /^8: vendor\.ratePerSecond must be greater/],
    ['an old api version style', (t) => t.replace('"67.0"', 'v67'), /^15: salesforce\.apiVersion must/],
    ['a key that stands twice', (t) => `${t}tenant: acme\n`, /^25: a key stands here twice/],
    ['a tab', (t) => t.replace('  apiKey', '\tapiKey'), /^\d+: (a tab indents|this is not valid YAML|this line)/],
    ['two documents', (t) => `${t}---\n${t}`, /^25: a second document/],
    ['an unclosed quote', (t) => t.replace('"67.0"', '"67.0'), /^\d+: a quote, bracket or colon is missing/],
    ['an unknown key to match by', (t) => `${t}matching: { keys: [mood] }\n`, /^25: matching\.keys.* customer/],
    ['more than all', (t) => `${t}guards: { maxDetachShare: 2 }\n`, /^25: guards\.maxDetachShare must/],
    ['an owner of no kind', (t) => `${t}imports: { owner: me }\n`, /^25: imports\.owner must be account, or user/],
    ['a journal of hours', (t) => `${t}retention: { journal: 23h }\n`, /^25: retention\.journal must/],
    [
      'messages that are sent again and not known',
      (t) => `${t}retention: { deliveries: 24h }\n`,
      /^25: retention\.deliveries must be a duration of 25h/,
    ],
    ['a guard of none', (t) => `${t}guards: { minimum: 0 }\n`, /^25: guards\.minimum must/],
    ['nothing in it', () => '', /^1: the file must be a section/],
    ['a missing mapping file', (t) => t.replace('mapping: default', 'mapping: m.yaml'), /^1: the mapping file/],
  ];
  it.each(edits)('is refused for %s', (_, edit, message) => {
    const found = problems(files.put('acme.yaml', edit(GOOD)));
    expect(
      found.some((problem) => message.test(problem)),
      found.join('\n'),
    ).toBe(true);
  });

  it('is refused for a missing section where no simulator runs', () => {
    expect(problems(files.put('acme.yaml', 'tenant: acme\n'))).toEqual([
      expect.stringMatching(/^1: vendor is missing, and no simulator/),
      expect.stringMatching(/^1: salesforce is missing, and no simulator/),
    ]);
  });

  it('may sweep a loopback org as closely as it likes', () => {
    expect(files.load(GOOD.replace('overlap: 15m', 'overlap: 5s')).salesforce.sweep.overlapMs).toBe(5000);
  });
});
