import { generate } from 'selfsigned';

/** A server's private key and certificate, in PEM. */
export type ServerCertificate = { readonly key: string; readonly cert: string };

const VALID_DAYS = 30;
const DAY_MS = 86_400_000;

/** Makes a certificate for the loopback address, which clients trust when it is given to them as an authority. */
export async function makeCertificate(now: Date): Promise<ServerCertificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    notBeforeDate: new Date(now.getTime() - DAY_MS),
    notAfterDate: new Date(now.getTime() + VALID_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { key, cert };
}
