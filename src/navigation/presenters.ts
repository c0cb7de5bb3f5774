import type { Row } from '../database/database.js';
import { applications } from '../process/applications/application.resource.js';
import { categories } from '../process/applications/category.resource.js';
import { addressFrom } from '../process/applications/tile-address.js';
import { uriOf } from '../resources/uri.js';

/** A category of the navigation API (docs/api-contract.md#category). */
export interface Category {
  id: string;
  title: string;
  comparisonValue: string;
}

/** An entry of the navigation API (docs/api-contract.md#application-entry). A missing text is "". */
export interface ApplicationEntry {
  id: string;
  title: string;
  reference: string;
  tileColor: string;
  type: string;
  link: string;
  icon: string;
  targetBlank: boolean;
  helpLinkJS: string;
  keywords: string;
  updateCounterUrl: string;
  comparisonValue: string;
}

/** The counter of an entry (docs/api-contract.md#indicator). */
export interface Indicator {
  type: 'COUNTER';
  count: number;
}

/** An entry of the workplace: its indicator is null when it could not be computed. */
export interface WorkplaceApplication extends ApplicationEntry {
  indicator: Indicator | null;
  favourite: boolean;
}

/** A category of the workplace with its applications. */
export interface WorkplaceCategory extends Category {
  applications: WorkplaceApplication[];
}

/** @param row id, title */
export function presentCategory([id, title]: Row): Category {
  return {
    id: uriOf(categories.ref.uri, id),
    title: blank(title),
    comparisonValue: blank(title),
  };
}

/** @param row id, title, reference, tile_color, type, link, icon, target_blank, help_link_js, keywords */
export function presentApplication(row: Row, basePath: string): ApplicationEntry {
  const [id, title, reference, tileColor, type, link, icon, targetBlank, helpLinkJS, keywords] =
    row;
  const uri = uriOf(applications.ref.uri, id);
  return {
    id: uri,
    title: blank(title),
    reference: blank(reference),
    tileColor: blank(tileColor),
    type: blank(type),
    link: addressFrom(link, basePath),
    icon: blank(icon),
    targetBlank: targetBlank === true,
    helpLinkJS: addressFrom(helpLinkJS, basePath),
    keywords: blank(keywords),
    updateCounterUrl:
      type === 'PROCESS'
        ? `${basePath}/navigation/workplace/views/count?applicationUri=${encodeURIComponent(uri)}`
        : '',
    comparisonValue: blank(title),
  };
}

export const presentIndicator = (count: number): Indicator => ({ type: 'COUNTER', count });

const blank = (value: unknown): string => (typeof value === 'string' ? value : '');
