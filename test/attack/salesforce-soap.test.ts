import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { afterEach, describe, expect, test } from 'vitest';
import { convertLead } from '../../src/salesforce/leads/convert-lead.ts';
import { createSession } from '../../src/salesforce/session.ts';
import { crmOptions, grant, isSignIn } from '../support/hostile/hostile-salesforce.ts';
import { type HostileAnswer, type HostileServer, startHostileServer } from '../support/hostile/hostile-server.ts';
import { MOST_HOLD_MS, shortestHold } from '../support/hostile/loop-hold.ts';

/** The conversion of a lead, the only call whose answer is XML: no answer is costly or misread, and no name leaves its element. */

let org: HostileServer;
afterEach(() => org.close());

const STATUS = { totalSize: 1, done: true, records: [{ ApiName: 'Converted & done' }] };
const XML = { 'content-type': 'text/xml' };

/** Converts a lead of this name in an org that answers with this. */
async function converted(answer: HostileAnswer, opportunityName = 'New boilers'): Promise<unknown> {
  org = await startHostileServer((request) => {
    if (isSignIn(request)) return grant(request);
    return request.path.includes('/Soap/') ? answer : { body: JSON.stringify(STATUS) };
  });
  const session = createSession(crmOptions(org.url));
  const lead = { leadId: '00Q000000000001AAA', opportunityName };
  try {
    return await convertLead(session, lead, { operation: 'convertLead' }).then(
      () => 'converted',
      (error: unknown) => error,
    );
  } finally {
    await session.close();
  }
}

const result = (inner: string, call = 'convertLead') =>
  `<e:Envelope xmlns:e="x"><e:Body><${call}Response><result>${inner}</result></${call}Response></e:Body></e:Envelope>`;
const KB = 1024;

describe('an answer', () => {
  test.each([
    ['line ends', '\r'.repeat(120 * KB)],
    ['line ends of an attribute', `<a b="${'\r'.repeat(120 * KB)}"/>`],
    ['references', '&#65;'.repeat(24 * KB)],
    ['a long reference', `&#${'0'.repeat(120 * KB)}65;`],
    ['ampersands', '&'.repeat(120 * KB)],
    ['attributes', `<a ${Array.from({ length: 13_000 }, (_, n) => `a${n}="b"`).join(' ')}/>`],
    ['elements in each other', '<a>'.repeat(40 * KB)],
    ['elements', '<a/>'.repeat(30 * KB)],
    ['comments', '<!---->'.repeat(17 * KB)],
    ['instructions', '<?x?>'.repeat(24 * KB)],
    ['letters of other scripts', '\u{1F600}'.repeat(30 * KB)],
    ['letters, in sixteen megabytes', '\u{1F600}'.repeat(4_000 * KB)],
  ])('of many %s holds the process for no long time', async (_, piece) => {
    for (const body of [result(piece), result(`<success>true</success>${piece}`), piece]) {
      for (const status of [200, 500]) {
        const { holdMs } = await shortestHold(() => converted({ status, headers: XML, body }));
        expect(holdMs).toBeLessThan(MOST_HOLD_MS);
        await org.close();
      }
    }
  });

  test.each([
    ['nothing', ''],
    ['no result', '<e:Envelope xmlns:e="x"><e:Body><convertLeadResponse/></e:Body></e:Envelope>'],
    ['the result of another call', result('<success>true</success>', 'undelete')],
    ['a result outside its answer', '<result><success>true</success></result>'],
    ['half a result', result('<success>true</success>').slice(0, -20)],
    ['an entity', `<!DOCTYPE a [<!ENTITY t "true">]>${result('<success>&t;</success>')}`],
    ['another truth', result('<success>TRUE</success>')],
    ['a number', result('<success>1</success>')],
    ['a truth further below', result('<a><success>true</success></a>')],
    ['a refusal first', result('<success>false</success><success>true</success>')],
    ['no word', result('')],
    ['an error without a code', result('<success>false</success><errors/>')],
  ])('with %s is no conversion', async (_, body) => {
    expect(await converted({ headers: XML, body })).toMatchObject({ name: 'CrmError' });
  });

  test('with a refusal in the org’s language keeps its words', async () => {
    const words = 'Für «Größe» fehlt der Wert.\r\n会社';
    const errors = `<errors><message>${words}</message><statusCode>REQUIRED_FIELD_MISSING</statusCode></errors>`;

    const refused = await converted({ headers: XML, body: result(`<success>false</success>${errors}`) });

    expect(refused).toMatchObject({ code: 'REQUIRED_FIELD_MISSING', crmMessage: 'Für «Größe» fehlt der Wert. 会社' });
  });

  test('of a lead that is converted already is one', async () => {
    const before = '<errors><statusCode>CANNOT_UPDATE_CONVERTED_LEAD</statusCode></errors>';
    expect(await converted({ headers: XML, body: result(`<success>false</success>${before}`) })).toBe('converted');
    await org.close();
    expect(await converted({ headers: XML, body: result('<success>true</success>') })).toBe('converted');
  });
});

describe('a name', () => {
  test.each([
    'a</opportunityName><doNotCreateOpportunity>true',
    ']]>',
    '<![CDATA[x]]>',
    '<!-- x',
    '&lt;b&gt; &amp;amp; &#65;',
    '"\'><x a="',
    'a\u0000b\u0008c\u000bd\u001fe',
    'half \ud800 and \udc00',
    '\ufffe\uffff',
    '\u2028 \u0085 \u007f',
    '\u{1F600}',
  ])('of the characters %j is the text of one element', async (name) => {
    await converted({ headers: XML, body: '' }, name);
    const body = org.requests.find(({ path }) => path.includes('/Soap/'))?.body ?? '';
    const [lead] = [...body.matchAll(/<leadConverts>(.*)<\/leadConverts>/gs)];
    const children = parseXml(lead?.[0] ?? '').root?.children ?? [];
    const elements = children.flatMap((one) => (one instanceof XmlElement ? one : []));
    expect(elements.length).toBe(children.length);
    expect(elements.map((one) => one.name)).toEqual([
      ...['convertedStatus', 'doNotCreateOpportunity', 'leadId', 'opportunityName', 'overwriteLeadSource'],
      'sendNotificationEmail',
    ]);
    const shown = elements.find((one) => one.name === 'opportunityName')?.text;
    const written = name.replaceAll(/(?![\t\n\r\u007f-\u009f])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, ' ');
    expect(shown).toBe(written);
  });
});
