/** The ISO 4217 currencies whose amounts have another number of decimals than two, grouped by their number of decimals. */
const MINOR_UNITS: Readonly<Record<string, readonly string[]>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: ['CLF', 'UYW'],
};

/** The number of decimals of amounts in a currency. */
export function minorUnits(currency: string): number {
  const row = Object.entries(MINOR_UNITS).find(([, codes]) => codes.includes(currency));
  return row === undefined ? 2 : Number(row[0]);
}

/** Whether a text has the form of a currency code: three uppercase letters (sales spec 2.1). */
export function isCurrency(value: string): boolean {
  return /^[A-Z]{3}$/.test(value);
}
