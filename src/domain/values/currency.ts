/** ISO 4217 currencies whose minor unit is not two digits. */
const MINOR_UNITS: Readonly<Record<string, readonly string[]>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: ['CLF', 'UYW'],
};

/** Digits after the decimal point that amounts in this currency have. */
export function minorUnits(currency: string): number {
  const row = Object.entries(MINOR_UNITS).find(([, codes]) => codes.includes(currency));
  return row === undefined ? 2 : Number(row[0]);
}

/** Sales spec 2.1: exactly three uppercase letters. */
export function isCurrency(value: string): boolean {
  return /^[A-Z]{3}$/.test(value);
}
