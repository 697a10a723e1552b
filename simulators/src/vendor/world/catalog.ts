import { createRandom, type Random } from '../../core/random.ts';
import type {
  Accreditation,
  Catalog,
  CatalogPrice,
  ContentItem,
  CountryPriceLists,
  Product,
} from '../order/catalog.ts';

const PORTFOLIOS = ['Engineering Suite', 'Simulation Suite', 'Manufacturing Suite', 'Governance Suite'] as const;
const INDUSTRIES = ['Aerospace and Defense', 'Industrial Equipment', 'Energy and Materials'] as const;
const ROLES = ['Designer', 'Analyst', 'Planner', 'Manager', 'Specialist', 'Engineer', 'Reviewer', 'Lead'] as const;
const RELEASES = ['R2024x', 'R2025x', 'R2026x'] as const;
/** Default number of products in the generated catalog. */
export const DEFAULT_PRODUCTS = 48;
const DAY_MS = 86_400_000;

type Kind = Pick<Product, 'type' | 'licensingScheme' | 'dsOffering'> & {
  readonly revenueTypes: readonly string[];
};

const KINDS: readonly Kind[] = [
  { type: 'NU', licensingScheme: 'NAM', dsOffering: 'ONL', revenueTypes: ['YLC', 'QLC'] },
  { type: 'S', licensingScheme: 'CON', dsOffering: 'LIC', revenueTypes: ['PLC', 'ALC', 'YLC'] },
  { type: 'A', licensingScheme: 'ADD', dsOffering: 'LIC', revenueTypes: ['PLC', 'ALC'] },
  { type: 'CS', licensingScheme: 'CAS', dsOffering: 'ONL', revenueTypes: ['YLC'] },
  { type: 'TO', licensingScheme: 'TOK', dsOffering: 'LIC', revenueTypes: ['YLC', 'TB3'] },
  { type: 'SC', licensingScheme: 'SVC', dsOffering: 'NA', revenueTypes: ['USC'] },
];

/**
 * A catalog of `count` products, equally divided among portfolios. The same seed and day give the same catalog. Every fourth product of a
 * portfolio is a package.
 */
export function generateCatalog(seed: number | string, now: Date, count: number = DEFAULT_PRODUCTS): Catalog {
  const random = createRandom(`catalog:${seed}`);
  const each = Math.ceil(count / PORTFOLIOS.length);
  const products = PORTFOLIOS.flatMap((name, index) => generatePortfolio(random, name, { index, count: each }));
  return {
    priceLists: generatePriceLists(now),
    accreditations: generateAccreditations(),
    products: products.toSorted((a, b) => (a.number < b.number ? -1 : 1)),
  };
}

/** Portfolio accreditations `PF1`… The partner has all but the last, so that a developer can try the refusal. */
function generateAccreditations(): readonly Accreditation[] {
  const portfolios = PORTFOLIOS.slice(0, -1).map((name, index) => ({
    id: `PF${index + 1}`,
    name,
    accreditationType: 'R' as const,
  }));
  const experiences = INDUSTRIES.map((industry, index) => ({
    id: `IPE${index + 1}`,
    name: `${industry} Process Experience`,
    accreditationType: 'I' as const,
    deploymentType: index % 2 === 0 ? '4' : '1',
    industrySolutionExperience: { id: `ISE${index + 1}`, name: `${industry} Solution` },
    solutionRelease: { id: 'SR26', name: RELEASES[2] },
    industry: { id: `IND${index + 1}`, name: industry },
  }));
  return [...portfolios, ...experiences];
}

function generatePriceLists(now: Date): readonly CountryPriceLists[] {
  const future = new Date(now.getTime() + 45 * DAY_MS).toISOString().slice(0, 10);
  const list = (id: number, name: string, currency: string, effectiveDate: string | null = null) => ({
    id,
    name,
    currency,
    hasFuturePriceList: effectiveDate !== null,
    effectiveDate,
  });
  return [
    { countryCode: 'FRA', countryName: 'France', priceLists: [list(1, 'Europe', 'EUR', future)] },
    { countryCode: 'GBR', countryName: 'United Kingdom', priceLists: [list(2, 'United Kingdom', 'GBP')] },
    { countryCode: 'JPN', countryName: 'Japan', priceLists: [list(3, 'Japan', 'JPY')] },
    {
      countryCode: 'USA',
      countryName: 'United States',
      priceLists: [list(4, 'North America', 'USD'), list(5, 'North America Public Sector', 'USD')],
    },
  ];
}

function generatePortfolio(
  random: Random,
  portfolio: string,
  { index, count }: { readonly index: number; readonly count: number },
): readonly Product[] {
  const accreditationIds = [`PF${index + 1}`, `IPE${(index % INDUSTRIES.length) + 1}`];
  const trigramOf = (nth: number) => `${portfolio.slice(0, 2).toUpperCase()}${String.fromCharCode(65 + (nth % 26))}`;
  const numberOf = (nth: number) => `${trigramOf(nth)}-${String((index + 1) * 1000 + nth * 7)}`;
  return Array.from({ length: count }, (_, nth) => {
    const isPackage = nth % 4 === 3;
    const kind = random.pick(KINDS);
    const { revenueTypes, ...scheme } = kind;
    const releases = RELEASES.slice(random.integer(0, 1));
    const parts = [1, 2, 3].map((back) => numberOf(nth - back));
    return {
      number: numberOf(nth),
      trigram: trigramOf(nth),
      name: `${portfolio.split(' ')[0]} ${random.pick(ROLES)} ${nth + 1}`,
      ...(isPackage ? { type: 'P', licensingScheme: 'PCK', dsOffering: 'PCK' } : scheme),
      defaultSupportLevel: random.pick(['A', 'S', 'N', 'Z']),
      remoteAccess: random.next() < 0.5,
      extendedEnterpriseUser: random.next() < 0.3,
      portfolio,
      releases: releases.map((name, at) => ({
        name,
        availabilityStatus: at === releases.length - 1 ? 1 : random.pick([1, 2, 6]),
        prerequisite: nth > 0 && random.next() < 0.2 ? `${numberOf(0)} at ${name}` : '',
      })),
      accreditationIds,
      prices: (isPackage ? ['PLC', 'ALC'] : revenueTypes).map((type) => generatePrice(random, type)),
      content: isPackage ? Object.fromEntries(releases.map((name) => [name, toContent(parts, portfolio, name)])) : {},
    };
  });
}

function toContent(numbers: readonly string[], portfolio: string, release: string): readonly ContentItem[] {
  return numbers.toSorted().map((number, nth) => ({ number, portfolio, release, quantity: nth + 1 }));
}

function generatePrice(random: Random, revenueType: string): CatalogPrice {
  const discountPercentage = random.integer(150_000, 400_000) / 10_000;
  const hasFirstYear = revenueType === 'YLC' && random.next() < 0.5;
  return {
    revenueType,
    listCents: random.integer(500, 30_000) * 100,
    discountPercentage,
    ...(hasFirstYear && { firstYearDiscountPercentage: discountPercentage + 10 }),
  };
}
