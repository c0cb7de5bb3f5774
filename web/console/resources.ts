import {
  AppWindow,
  Bot,
  Building2,
  CircleHelp,
  FileText,
  Handshake,
  LayoutGrid,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Newspaper,
  Palmtree,
  Plug,
  RefreshCw,
  ScrollText,
  ShieldCheck,
  Table2,
  User,
  Users,
  Webhook,
} from 'lucide-react';
import { ENDPOINT_USES, type Uses } from './deliveries/endpoint-uses.js';
import { PROVIDER_USES } from './directory/provider-uses.js';

/** The layout that the console adds to the server's description of a resource. */
export interface ConsoleResource {
  path: string;
  icon: LucideIcon;
  section: 'directory' | 'workplace' | 'content' | 'administration';
  /** Columns shown at first, in their order; all others can be switched on. */
  columns: string[];
  sort: { field: string; order: 'ASC' | 'DESC' };
  /** Attributes of a form by their headings; attributes not named here follow under the last one. */
  groups: Record<string, string[]>;
  /** Which attributes a record uses, if that depends on others. */
  uses?: Uses;
  /** Its records are neither imported nor exported, as on the command line (docs/command-line.md#import-and-export). */
  withoutFiles?: true;
  /** Attributes that its provider alone writes (src/directory/provider.resource.ts). */
  managed?: string[];
  /** Separate facts of a record by their headings: attributes that only programs write. */
  facts?: Record<string, string[]>;
}

const AUDIENCE = ['audience'];
const content = (path: string, icon: LucideIcon, columns: string[], main: string[]) => ({
  path: `/api/v2/content/${path}`,
  icon,
  section: 'content' as const,
  columns: [...columns, 'status', 'modificationDate'],
  sort: { field: 'modificationDate', order: 'DESC' as const },
  groups: { main, audience: AUDIENCE, more: ['status', 'locale', 'author', 'reference'] },
});

export const RESOURCES = {
  users: {
    path: '/api/v2/directory/users',
    icon: User,
    section: 'directory',
    columns: ['title', 'login', 'email', 'organization', 'userFunction', 'status'],
    sort: { field: 'lastName', order: 'ASC' },
    groups: {
      person: ['firstName', 'lastName', 'title', 'nickName', 'login', 'locale'],
      contact: ['email', 'phoneNumber', 'mobilePhoneNumber'],
      place: ['organization', 'manager', 'userFunction', 'externalId', 'description'],
      access: ['status', 'administrator', 'processEngine'],
    },
    managed: [
      ...['login', 'firstName', 'lastName', 'title', 'email', 'phoneNumber', 'mobilePhoneNumber'],
      ...['userFunction', 'organization', 'manager', 'status', 'externalId', 'locale'],
    ],
  },
  'service-accounts': {
    path: '/api/v2/directory/service-accounts',
    icon: Bot,
    section: 'directory',
    columns: ['title', 'login', 'status', 'lastLoginDate', 'modificationDate'],
    sort: { field: 'title', order: 'ASC' },
    withoutFiles: true,
    groups: { main: ['title', 'login', 'status', 'callsPerMinute', 'description'] },
  },
  providers: {
    path: '/api/v2/directory/providers',
    icon: RefreshCw,
    section: 'directory',
    columns: ['label', 'reference', 'kind', 'active', 'dryRun', 'modificationDate'],
    sort: { field: 'label', order: 'ASC' },
    withoutFiles: true,
    uses: PROVIDER_USES,
    groups: {
      main: ['label', 'reference', 'kind', 'active', 'dryRun', 'serviceAccount', 'ldap'],
    },
  },
  organizations: {
    path: '/api/v2/directory/organizations',
    icon: Building2,
    section: 'directory',
    columns: ['label', 'reference', 'parent', 'manager', 'active'],
    sort: { field: 'label', order: 'ASC' },
    groups: {
      main: ['label', 'reference', 'parent', 'manager', 'active', 'externalId', 'description'],
    },
  },
  groups: {
    path: '/api/v2/directory/groups',
    icon: Users,
    section: 'directory',
    columns: ['label', 'reference', 'description', 'modificationDate'],
    sort: { field: 'label', order: 'ASC' },
    groups: { main: ['label', 'reference', 'externalId', 'description'] },
    managed: ['label', 'externalId'],
  },
  roles: {
    path: '/api/v2/directory/roles',
    icon: ShieldCheck,
    section: 'directory',
    columns: ['label', 'reference', 'permissions', 'shipped'],
    sort: { field: 'id', order: 'ASC' },
    withoutFiles: true,
    groups: { main: ['label', 'reference', 'permissions', 'description'] },
  },
  'role-assignments': {
    path: '/api/v2/directory/role-assignments',
    icon: KeyRound,
    section: 'directory',
    columns: ['reference', 'user', 'role', 'organization', 'group', 'application'],
    sort: { field: 'id', order: 'DESC' },
    withoutFiles: true,
    groups: {
      main: ['user', 'role', 'organization', 'group', 'application'],
      more: ['reference'],
    },
  },
  categories: {
    path: '/api/v2/navigation/categories',
    icon: LayoutGrid,
    section: 'workplace',
    columns: ['title', 'reference', 'position', 'active'],
    sort: { field: 'position', order: 'ASC' },
    groups: { main: ['title', 'reference', 'position', 'active'], translations: ['translations'] },
  },
  applications: {
    path: '/api/v2/navigation/applications',
    icon: AppWindow,
    section: 'workplace',
    columns: ['title', 'type', 'categories', 'audience', 'position', 'active'],
    sort: { field: 'position', order: 'ASC' },
    groups: {
      main: ['title', 'type', 'tileColor', 'icon', 'link', 'targetBlank', 'view', 'helpLinkJS'],
      place: ['categories', 'position', 'keywords', 'active'],
      audience: AUDIENCE,
      translations: ['translations'],
      more: ['reference'],
    },
  },
  tasks: {
    path: '/api/v2/process/tasks',
    icon: ListChecks,
    section: 'workplace',
    columns: ['title', 'application', 'assignee', 'group', 'status', 'dueDate'],
    sort: { field: 'id', order: 'DESC' },
    groups: {
      main: [
        ...['title', 'application', 'status', 'assignee', 'group', 'priority', 'dueDate'],
        ...['candidates', 'followUpDate', 'link'],
      ],
      more: ['description', 'reference'],
    },
    facts: {
      decision: [
        ...['outcome', 'comment', 'closedBy', 'closedFor', 'completionDate'],
        ...['confirmation', 'refusalReason'],
      ],
      engine: ['source', 'externalId', 'sourceVersion', 'correlationId', 'variables', 'outcomes'],
    },
  },
  endpoints: {
    path: '/api/v2/process/endpoints',
    icon: Webhook,
    section: 'workplace',
    columns: ['label', 'mode', 'url', 'source', 'kinds', 'applications', 'state'],
    uses: ENDPOINT_USES,
    sort: { field: 'label', order: 'ASC' },
    withoutFiles: true,
    groups: {
      main: ['label', 'mode', 'url', 'status', 'account'],
      more: [
        'adapter',
        'variables',
        'source',
        'confirms',
        'kinds',
        'applications',
        'content',
        'signature',
        'reference',
      ],
    },
  },
  absences: {
    path: '/api/v2/process/absences',
    icon: Palmtree,
    section: 'workplace',
    columns: ['reference', 'user', 'substitute', 'application', 'startDate', 'endDate', 'active'],
    sort: { field: 'startDate', order: 'DESC' },
    withoutFiles: true,
    groups: {
      main: ['user', 'substitute', 'startDate', 'endDate', 'application'],
      more: ['reference'],
    },
  },
  sources: {
    path: '/api/v2/process/sources',
    icon: Plug,
    section: 'workplace',
    columns: ['label', 'serviceAccount', 'applications', 'fallbackGroup'],
    sort: { field: 'label', order: 'ASC' },
    groups: {
      main: ['label', 'serviceAccount', 'applications', 'fallbackGroup', 'snapshotBrake'],
      more: ['reference'],
    },
  },
  views: {
    path: '/api/v2/process/views',
    icon: Table2,
    section: 'workplace',
    columns: ['label', 'application', 'reference', 'modificationDate'],
    sort: { field: 'label', order: 'ASC' },
    groups: {
      main: ['label', 'application', 'columns'],
      rows: ['filters', 'filterMode', 'sorter'],
      translations: ['translations'],
      more: ['reference'],
    },
  },
  documents: content(
    'documents',
    FileText,
    ['title', 'category', 'fileName', 'version'],
    [
      'title',
      'category',
      'fileName',
      'mimeType',
      'size',
      'version',
      'downloadUrl',
      'keywords',
      'description',
    ],
  ),
  news: content(
    'news',
    Newspaper,
    ['title', 'category', 'publicationDate', 'endDate'],
    ['title', 'category', 'publicationDate', 'endDate', 'summary', 'body'],
  ),
  faqs: content(
    'faqs',
    CircleHelp,
    ['question', 'category', 'author'],
    ['question', 'answer', 'category', 'keywords'],
  ),
  customers: content(
    'customers',
    Handshake,
    ['name', 'code', 'city', 'country', 'contactName'],
    [
      ...['name', 'code', 'taxNumber', 'contactName', 'email', 'phoneNumber', 'webSite'],
      ...['address', 'city', 'country', 'description'],
    ],
  ),
  audit: {
    path: '/api/v2/administration/audit',
    icon: ScrollText,
    section: 'administration',
    columns: ['creationDate', 'action', 'actor', 'object', 'reason', 'address'],
    sort: { field: 'id', order: 'DESC' },
    groups: {},
  },
} satisfies Record<string, ConsoleResource>;

export type ResourceName = keyof typeof RESOURCES;

export const resourceOf = (name: string): ConsoleResource => RESOURCES[name as ResourceName];

/** The attribute that names a record: the first column of its list. */
export const nameOf = (name: ResourceName): string => RESOURCES[name].columns[0]!;

/** Resources that can be written: all but the audit trail. */
export const EDITABLE = (Object.keys(RESOURCES) as ResourceName[]).filter(
  (name) => name !== 'audit',
);

/** The resource behind the attribute's links. */
const TARGETS: Record<string, ResourceName[]> = {
  organization: ['organizations'],
  parent: ['organizations'],
  manager: ['users'],
  author: ['users'],
  assignee: ['users'],
  group: ['groups'],
  candidates: ['users', 'groups'],
  groups: ['groups'],
  account: ['users'],
  actor: ['users'],
  agent: ['users'],
  managedBy: ['providers'],
  role: ['roles'],
  serviceAccount: ['users'],
  fallbackGroup: ['groups'],
  closedBy: ['users'],
  closedFor: ['users'],
  user: ['users'],
  substitute: ['users'],
  source: ['sources'],
  application: ['applications'],
  applications: ['applications'],
  endpoints: ['endpoints'],
  view: ['views'],
  categories: ['categories'],
  audience: ['users', 'groups', 'organizations'],
};

export const targetsOf = (attribute: string): ResourceName[] => TARGETS[attribute] ?? [];

/** The resource and id of a URI, if the console has a page for it. */
export function placeOf(uri: string): { resource: ResourceName; id: string } | undefined {
  const [, , resource = '', id = ''] = uri.split('/');
  const isKnown = resource in RESOURCES && /^\d+$/.test(id);
  return isKnown ? { resource: resource as ResourceName, id } : undefined;
}
