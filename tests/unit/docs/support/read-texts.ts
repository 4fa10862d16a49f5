import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../../../..');

export interface FoundText {
  /** File and line. */
  place: string;
  text: string;
}

/** Every text of at least four words that the sources of these folders can show: string literals, templates (a placeholder is "…") and the texts of JSX. */
export function readTexts(folders: readonly string[]): FoundText[] {
  const files = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: (name) => name === 'dist' || name === 'node_modules' }),
  );
  return files.flatMap((file) => {
    const source = ts.createSourceFile(
      file,
      readFileSync(path.join(root, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
      file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    );
    const found: FoundText[] = [];
    const visit = (node: ts.Node): void => {
      const text = textOf(node);
      if (text !== null && isProse(text))
        found.push({ place: `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`, text });
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map((span) => `…${span.literal.text}`)].join('');
  return ts.isJsxText(node) ? node.text.replace(/\s+/g, ' ').trim() : null;
}

/** Not SQL, code or markup. */
function isProse(text: string): boolean {
  const isCode =
    /^\s*(select|insert|update|delete|with|create|alter|drop|lock|and|or|where|from|values)\b|=>|[{;]\s*$|<\/|\breturn\b|::/.test(
      text,
    );
  return !isCode && text.trim().split(/\s+/).length >= 4;
}
