import { CreateTextFunctions1795400000000 } from './1795400000000-create-text-functions.js';
import { CreateDirectory1795400001000 } from './1795400001000-create-directory.js';
import { CreateCredentials1795400002000 } from './1795400002000-create-credentials.js';
import { CreateProcess1795400003000 } from './1795400003000-create-process.js';
import { CreateContent1795400004000 } from './1795400004000-create-content.js';
import { CreateAudiences1795400005000 } from './1795400005000-create-audiences.js';
import { CreateAdministration1795400006000 } from './1795400006000-create-administration.js';
import { CreateSearch1795400007000 } from './1795400007000-create-search.js';
import { SeedFirstRows1795400008000 } from './1795400008000-seed-first-rows.js';
import { CreateMails1795500000000 } from './1795500000000-create-mails.js';
import { CreatePasswordResets1795500001000 } from './1795500001000-create-password-resets.js';
import { CreateBrowserSessions1795501000000 } from './1795501000000-create-browser-sessions.js';
import { TranslateTiles1795505000000 } from './1795505000000-translate-tiles.js';
import { VoidInvitations1795507000000 } from './1795507000000-void-invitations.js';
import { CreateChanges1796000000000 } from './1796000000000-create-changes.js';
import { CreateFeedSecret1796003000000 } from './1796003000000-create-feed-secret.js';
import { IndexListFilters1797000000000 } from './1797000000000-index-list-filters.js';
import { CreateSources1798000000000 } from './1798000000000-create-sources.js';
import { CreateEndpoints1799000000000 } from './1799000000000-create-endpoints.js';
import { AnnounceBySql1799500000000 } from './1799500000000-announce-by-sql.js';
import { CreateTaskComments1800500000000 } from './1800500000000-create-task-comments.js';
import { CreateCandidates1801000000000 } from './1801000000000-create-candidates.js';
import { CreateIdempotencyKeys1801100000000 } from './1801100000000-create-idempotency-keys.js';
import { CreateUnknownNames1801150000000 } from './1801150000000-create-unknown-names.js';
import { ConfirmDecisions1801200000000 } from './1801200000000-confirm-decisions.js';
import { CreateAbsences1801300000000 } from './1801300000000-create-absences.js';
import { CloseOnBehalf1801300001000 } from './1801300001000-close-on-behalf.js';
import { CreateTaskMails1801400000000 } from './1801400000000-create-task-mails.js';
import { CreateTaskFilters1801500000000 } from './1801500000000-create-task-filters.js';
import { CreateTaskFiles1801600000000 } from './1801600000000-create-task-files.js';
import { IndexDescriptionsOfTasks1802600000000 } from './1802600000000-index-descriptions-of-tasks.js';
import { ReportEndpoints1806600000000 } from './1806600000000-report-endpoints.js';
import { KeepConfirmedDecisions1808600000000 } from './1808600000000-keep-confirmed-decisions.js';
import { RecordMovedTasks1808700000000 } from './1808700000000-record-moved-tasks.js';
import { KnowTextsOfSources1809000000000 } from './1809000000000-know-texts-of-sources.js';
import { DoubtDeliveries1809200000000 } from './1809200000000-doubt-deliveries.js';
import { NoteClosings1809300000000 } from './1809300000000-note-closings.js';
import { JournalApplicationsOfTasks1809300001000 } from './1809300001000-journal-applications-of-tasks.js';
import { DescribeDeliveries1809400000000 } from './1809400000000-describe-deliveries.js';
import { NoteEarlierClosings1809401000000 } from './1809401000000-note-earlier-closings.js';
import { DropWholeDescriptions1809402000000 } from './1809402000000-drop-whole-descriptions.js';
import { IndexIdsOfClosedTasks1809403000000 } from './1809403000000-index-ids-of-closed-tasks.js';
import { IndexWholeKeywords1809404000000 } from './1809404000000-index-whole-keywords.js';
import { IndexIdsOfExternalTasks1809405000000 } from './1809405000000-index-ids-of-external-tasks.js';
import { NoteConfirmingEndpoints1809406000000 } from './1809406000000-note-confirming-endpoints.js';
import { DeriveEveryAudience1809407000000 } from './1809407000000-derive-every-audience.js';
import { LockEveryMoveOfOrganizations1809408000000 } from './1809408000000-lock-every-move-of-organizations.js';
import { CountBytesOfFiles1809420000000 } from './1809420000000-count-bytes-of-files.js';
import { CompareReferencesAsTheyAre1809430000000 } from './1809430000000-compare-references-as-they-are.js';
import { KeepLastErrors1809440000000 } from './1809440000000-keep-last-errors.js';

/** The history of the schema, oldest first. A migration is never edited once it is released. */
export const migrations = [
  CreateTextFunctions1795400000000,
  CreateDirectory1795400001000,
  CreateCredentials1795400002000,
  CreateProcess1795400003000,
  CreateContent1795400004000,
  CreateAudiences1795400005000,
  CreateAdministration1795400006000,
  CreateSearch1795400007000,
  SeedFirstRows1795400008000,
  CreateMails1795500000000,
  CreatePasswordResets1795500001000,
  CreateBrowserSessions1795501000000,
  TranslateTiles1795505000000,
  VoidInvitations1795507000000,
  CreateChanges1796000000000,
  CreateFeedSecret1796003000000,
  IndexListFilters1797000000000,
  CreateSources1798000000000,
  CreateEndpoints1799000000000,
  AnnounceBySql1799500000000,
  CreateTaskComments1800500000000,
  CreateCandidates1801000000000,
  CreateIdempotencyKeys1801100000000,
  CreateUnknownNames1801150000000,
  ConfirmDecisions1801200000000,
  CreateAbsences1801300000000,
  CloseOnBehalf1801300001000,
  CreateTaskMails1801400000000,
  CreateTaskFilters1801500000000,
  CreateTaskFiles1801600000000,
  IndexDescriptionsOfTasks1802600000000,
  ReportEndpoints1806600000000,
  KeepConfirmedDecisions1808600000000,
  RecordMovedTasks1808700000000,
  KnowTextsOfSources1809000000000,
  DoubtDeliveries1809200000000,
  NoteClosings1809300000000,
  JournalApplicationsOfTasks1809300001000,
  DescribeDeliveries1809400000000,
  NoteEarlierClosings1809401000000,
  DropWholeDescriptions1809402000000,
  IndexIdsOfClosedTasks1809403000000,
  IndexWholeKeywords1809404000000,
  IndexIdsOfExternalTasks1809405000000,
  NoteConfirmingEndpoints1809406000000,
  DeriveEveryAudience1809407000000,
  LockEveryMoveOfOrganizations1809408000000,
  CountBytesOfFiles1809420000000,
  CompareReferencesAsTheyAre1809430000000,
  KeepLastErrors1809440000000,
];

/**
 * The history of development versions before 0.1.0, which created the same schema in 24 steps. Such a database
 * is not migrated; its backup can be restored into the schema above (docs/upgrade.md).
 */
export const formerMigrations = [
  'CreateTextFunctions1795219200000',
  'CreateDirectory1795219201000',
  'CreateCredentials1795219202000',
  'CreateProcess1795219203000',
  'CreateContent1795219204000',
  'CreateAudiences1795219205000',
  'CreateAdministration1795219206000',
  'SeedSysadmin1795219207000',
  'SeedParameters1795219208000',
  'LimitSignIns1795219210000',
  'ListAudit1795219211000',
  'CreateSearchWalks1795219230000',
  'CreateSeeds1795219300000',
  'IndexEverySorter1795219500000',
  'WidenSearchGrams1795219600000',
  'LimitTokens1795219700000',
  'IndexTitleBuckets1795219800000',
  'QuickenTextFunctions1795220000000',
  'LimitTokensTogether1795230000000',
  'QuickenVacuum1795230100000',
  'GuardCredentials1795231000000',
  'CountIssuedTokens1795231100000',
  'CutSearchTitles1795240000000',
  'AddCallerRequestId1795300100000',
];
