import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkSync } from 'recheck';
import ts from 'typescript';
import { measure, type Section } from './report-row.js';

const SOURCES = ['src', 'web'];

/** The textbook regular expression that takes exponential time. */
const VULNERABLE = { source: '^(a|a)*$', flags: '' };

/** D6: known vulnerabilities of shipped packages, and regular expressions that a text could slow down. */
export const supplyChain: Section = async (_scale, report) => {
  await measure(
    {
      id: 'D6',
      goal: 'npm audit without high; every package locked with its digest; a bill of materials; no vulnerable expression (^(a|a)*$ is found)',
    },
    report,
    async () => {
      const [audit, unlocked, components] = [await audited(), unlockedPackages(), await billed()];
      const expressions = SOURCES.flatMap(filesIn).flatMap(expressionsOf);
      const vulnerable = expressions.filter(isVulnerable);
      const names = vulnerable.map(({ file, line, source }) => ` ${file}:${line} /${source}/`);
      return {
        figure: `audit: ${audit ?? 'the registry answers none'}${audit === undefined ? '' : ' high or critical'}; ${unlocked} packages without a digest; ${components} components billed; ${vulnerable.length} of ${expressions.length} expressions vulnerable${names.join()}`,
        met:
          audit === 0 &&
          unlocked === 0 &&
          components > 0 &&
          vulnerable.length === 0 &&
          isVulnerable(VULNERABLE),
      };
    },
  );
};

/** The output of npm, even if it exits with 1 because of findings. */
const npm = (...args: string[]): Promise<string> =>
  promisify(execFile)('npm', args, { maxBuffer: 1 << 28 }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );

/** The number of shipped packages with a serious known vulnerability; undefined without an answer. */
async function audited(): Promise<number | undefined> {
  const { metadata } = JSON.parse(await npm('audit', '--omit=dev', '--json')) as {
    metadata?: { vulnerabilities: { high: number; critical: number } };
  };
  return metadata && metadata.vulnerabilities.high + metadata.vulnerabilities.critical;
}

function unlockedPackages(): number {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { integrity?: string; link?: boolean; inBundle?: boolean }>;
  };
  return Object.entries(packages).filter(
    ([name, { integrity, inBundle }]) => name !== '' && integrity === undefined && !inBundle,
  ).length;
}

async function billed(): Promise<number> {
  const bill = await npm('sbom', '--omit=dev', '--sbom-format=cyclonedx');
  return (JSON.parse(bill) as { components: unknown[] }).components.length;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));

interface Expression {
  file: string;
  line: number;
  source: string;
  flags: string;
}

/** The regular expression literals of a file. */
function expressionsOf(file: string): Expression[] {
  const parsed = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const { line } = parsed.getLineAndCharacterOfPosition(node.getStart(parsed));
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      found.push({ file, line: line + 1, source, flags });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

const isVulnerable = ({ source, flags }: Pick<Expression, 'source' | 'flags'>): boolean =>
  checkSync(source, flags, { timeout: 60_000 }).status !== 'safe';
