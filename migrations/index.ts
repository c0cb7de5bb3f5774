import { CreateFunctions1795400000000 } from './1795400000000-create-functions.js';
import { CreateDirectory1795400001000 } from './1795400001000-create-directory.js';
import { CreateCredentials1795400002000 } from './1795400002000-create-credentials.js';
import { CreateAdministration1795400003000 } from './1795400003000-create-administration.js';
import { CreateApplications1795400004000 } from './1795400004000-create-applications.js';
import { CreateProcess1795400005000 } from './1795400005000-create-process.js';
import { CreateContent1795400006000 } from './1795400006000-create-content.js';
import { CreateMails1795400007000 } from './1795400007000-create-mails.js';
import { CreateChanges1795400008000 } from './1795400008000-create-changes.js';
import { CreateEndpoints1795400009000 } from './1795400009000-create-endpoints.js';
import { CreateRoles1795400011000 } from './1795400011000-create-roles.js';
import { SeedFirstRows1795400010000 } from './1795400010000-seed-first-rows.js';
import { CreateSecondSteps1795400013000 } from './1795400013000-create-second-steps.js';
import { CreateServiceAccounts1795400014000 } from './1795400014000-create-service-accounts.js';
import { CreatePasskeys1795400015000 } from './1795400015000-create-passkeys.js';
import { CreateProviders1795400016000 } from './1795400016000-create-providers.js';
import { CreateProviderRequests1795400017000 } from './1795400017000-create-provider-requests.js';
import { CreateLdap1795400018000 } from './1795400018000-create-ldap.js';
import { CreateProviderRunDetails1795400019000 } from './1795400019000-create-provider-run-details.js';
import { CreateDirectoryPeople1795400020000 } from './1795400020000-create-directory-people.js';
import { AddPhotoOfDirectory1795400021000 } from './1795400021000-add-photo-of-directory.js';
import { CreateProviderLogouts1795400024000 } from './1795400024000-create-provider-logouts.js';
import { IndexUnassignedTasks1795400025000 } from './1795400025000-index-unassigned-tasks.js';
import { SearchOtherSpellings1795400026000 } from './1795400026000-search-other-spellings.js';
import { CreateSecondStepResets1795400027000 } from './1795400027000-create-second-step-resets.js';

/** The history of the schema, oldest first. A migration is never edited once it is released. */
export const migrations = [
  CreateFunctions1795400000000,
  CreateDirectory1795400001000,
  CreateCredentials1795400002000,
  CreateAdministration1795400003000,
  CreateApplications1795400004000,
  CreateProcess1795400005000,
  CreateContent1795400006000,
  CreateMails1795400007000,
  CreateChanges1795400008000,
  CreateEndpoints1795400009000,
  SeedFirstRows1795400010000,
  CreateRoles1795400011000,
  CreateSecondSteps1795400013000,
  CreateServiceAccounts1795400014000,
  CreatePasskeys1795400015000,
  CreateProviders1795400016000,
  CreateProviderRequests1795400017000,
  CreateLdap1795400018000,
  CreateProviderRunDetails1795400019000,
  CreateDirectoryPeople1795400020000,
  AddPhotoOfDirectory1795400021000,
  CreateProviderLogouts1795400024000,
  IndexUnassignedTasks1795400025000,
  SearchOtherSpellings1795400026000,
  CreateSecondStepResets1795400027000,
];

export { functions } from './functions.js';
