import { CreateTextFunctions1795219200000 } from './1795219200000-create-text-functions.js';
import { CreateDirectory1795219201000 } from './1795219201000-create-directory.js';
import { CreateCredentials1795219202000 } from './1795219202000-create-credentials.js';
import { CreateProcess1795219203000 } from './1795219203000-create-process.js';
import { CreateContent1795219204000 } from './1795219204000-create-content.js';
import { CreateAudiences1795219205000 } from './1795219205000-create-audiences.js';
import { CutSearchTitles1795240000000 } from './1795240000000-cut-search-titles.js';
import { CreateAdministration1795219206000 } from './1795219206000-create-administration.js';
import { SeedSysadmin1795219207000 } from './1795219207000-seed-sysadmin.js';
import { SeedParameters1795219208000 } from './1795219208000-seed-parameters.js';
import { LimitSignIns1795219210000 } from './1795219210000-limit-sign-ins.js';
import { ListAudit1795219211000 } from './1795219211000-list-audit.js';
import { CreateSearchWalks1795219230000 } from './1795219230000-create-search-walks.js';
import { CreateSeeds1795219300000 } from './1795219300000-create-seeds.js';
import { IndexEverySorter1795219500000 } from './1795219500000-index-every-sorter.js';
import { WidenSearchGrams1795219600000 } from './1795219600000-widen-search-grams.js';
import { LimitTokens1795219700000 } from './1795219700000-limit-tokens.js';
import { LimitTokensTogether1795230000000 } from './1795230000000-limit-tokens-together.js';
import { IndexTitleBuckets1795219800000 } from './1795219800000-index-title-buckets.js';
import { QuickenTextFunctions1795220000000 } from './1795220000000-quicken-text-functions.js';
import { GuardCredentials1795231000000 } from './1795231000000-guard-credentials.js';
import { CountIssuedTokens1795231100000 } from './1795231100000-count-issued-tokens.js';
import { QuickenVacuum1795230100000 } from './1795230100000-quicken-vacuum.js';
import { AddCallerRequestId1795300100000 } from './1795300100000-add-caller-request-id.js';

/** The history of the schema, oldest first. A migration is never edited once it is merged. */
export const migrations = [
  CreateTextFunctions1795219200000,
  CreateDirectory1795219201000,
  CreateCredentials1795219202000,
  CreateProcess1795219203000,
  CreateContent1795219204000,
  CreateAudiences1795219205000,
  CreateAdministration1795219206000,
  SeedSysadmin1795219207000,
  SeedParameters1795219208000,
  LimitSignIns1795219210000,
  ListAudit1795219211000,
  CreateSearchWalks1795219230000,
  CreateSeeds1795219300000,
  IndexEverySorter1795219500000,
  WidenSearchGrams1795219600000,
  LimitTokens1795219700000,
  IndexTitleBuckets1795219800000,
  QuickenTextFunctions1795220000000,
  LimitTokensTogether1795230000000,
  QuickenVacuum1795230100000,
  GuardCredentials1795231000000,
  CountIssuedTokens1795231100000,
  CutSearchTitles1795240000000,
  AddCallerRequestId1795300100000,
];
