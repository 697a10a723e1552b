import assert from 'node:assert/strict';
import { request } from 'node:http';
import { gunzipSync, inflateSync } from 'node:zlib';
import { answers, messageOf, type OrgUnderTest, type Point, refuses } from './point.ts';

const REST = 'REST API Developer Guide';

/** How calls and answers are written, whatever they are about. */
export const HTTP_POINTS: readonly Point[] = [
  {
    claim: 'An answer is compressed for a client that takes gzip or deflate, and for no other.',
    source: `${REST}, "Compression Headers"`,
    sure: 'documented',
    holds: async (org) => {
      const plain = await raw(org, '');
      assert.equal(plain.encoding, undefined);
      const packed = await raw(org, 'br, gzip;q=0.5');
      assert.equal(packed.encoding, 'gzip');
      assert.ok(packed.body.length < plain.body.length / 2);
      assert.deepEqual(JSON.parse(gunzipSync(packed.body).toString()), JSON.parse(plain.body.toString()));
      const deflated = await raw(org, 'deflate, gzip;q=0');
      assert.equal(deflated.encoding, 'deflate');
      assert.equal(inflateSync(deflated.body).length, plain.body.length);
    },
  },
  {
    claim: 'An address may end in .json, which says the format of the answer.',
    source: `${REST}, "Response Format Using URI"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'A', Vendor_Site_Id__c: 'site.json' });
      answers(await org.call('GET', `/sobjects/Account/${id}.json?fields=Name`), 200, { Name: 'A' });
      answers(await org.call('GET', '/limits.json'), 200);
      // A value of an external id is no format.
      answers(await org.call('GET', '/sobjects/Account/Vendor_Site_Id__c/site.json'), 200, { Name: 'A' });
    },
  },
  {
    claim: 'A value of another kind than its field is named by its token, as the parser of JSON calls it.',
    source: 'Published answers: "Cannot deserialize instance of string from START_OBJECT value {"',
    sure: 'published',
    holds: async (org) => {
      const tokens = [
        [{ a: 1 }, 'START_OBJECT value {'],
        [['a'], 'START_ARRAY value ['],
        [12, 'VALUE_NUMBER_INT value 12'],
        [1.5, 'VALUE_NUMBER_FLOAT value 1.5'],
        [true, 'VALUE_TRUE value true'],
      ] as const;
      for (const [Name, token] of tokens) {
        const refused = await org.call('POST', '/sobjects/Account', { Name });
        refuses(refused, 400, 'JSON_PARSER_ERROR');
        assert.ok(messageOf(refused).startsWith(`Cannot deserialize instance of string from ${token} or`));
      }
    },
  },
  {
    claim: 'An org shows its OpenID configuration without a session.',
    source: 'Salesforce Help, "Query for the OpenID Connect Configuration"',
    sure: 'documented',
    holds: async (org) => {
      const path = '/.well-known/openid-configuration';
      const answer = await fetch(`${org.origin}${path}`);
      assert.equal(answer.status, 200);
      assert.partialDeepStrictEqual(await answer.json(), {
        issuer: org.origin,
        token_endpoint: `${org.origin}/services/oauth2/token`,
        introspection_endpoint: `${org.origin}/services/oauth2/introspect`,
      });
    },
  },
];

type Raw = { readonly encoding: string | undefined; readonly body: Buffer };

/** A description as it comes over the wire: fetch would unpack it. */
function raw(org: OrgUnderTest, accepted: string): Promise<Raw> {
  const headers = { authorization: `Bearer ${org.user.accessToken}`, 'accept-encoding': accepted };
  return new Promise((resolve, reject) => {
    const call = request(`${org.origin}/services/data/v67.0/sobjects/Account/describe`, { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () => {
        resolve({ encoding: answer.headers['content-encoding'], body: Buffer.concat(parts) });
      });
    });
    call.once('error', reject);
    call.end();
  });
}
