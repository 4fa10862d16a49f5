// Rules of this project that no linter has. `.oxlintrc.json` names them.

/** Whether a part of the code reads the machine's clock. */
function readsClock(node) {
  if (node.type === 'NewExpression') return node.callee.name === 'Date' && node.arguments.length === 0;
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object, property } = node.callee;
  return (
    (object.name === 'performance' && property.name === 'now') ||
    (object.name === 'Date' && property.name === 'now') ||
    (object.name === 'process' && property.name === 'hrtime')
  );
}

function* partsOf(node) {
  yield node;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (child !== null && typeof child === 'object' && typeof child.type === 'string') yield* partsOf(child);
  }
}

const isExpect = (node) => node.callee.type === 'Identifier' && node.callee.name === 'expect';

export default {
  meta: { name: 'house' },
  rules: {
    'no-private-keyword': {
      create: (context) => {
        const check = (node) => {
          if (node.accessibility === 'private' && node.kind !== 'constructor')
            context.report({ node, message: 'Write #name: it is private when the program runs, too.' });
        };
        return { PropertyDefinition: check, MethodDefinition: check, TSParameterProperty: check };
      },
    },
    /** A busy machine is no fault: what a quick test asserts may not depend on how long something took. */
    'no-clock-in-expect': {
      create: (context) => {
        const clocks = new Set();
        const message =
          'A quick test may not judge time: hold the clock, or move the test to a file that ends in .slow.test.ts.';
        return {
          VariableDeclarator(node) {
            if (node.init === null || node.id.type !== 'Identifier') return;
            const parts = [...partsOf(node.init)];
            // A function that reads the clock later is the code under test.
            if (parts.some(({ type }) => type.includes('Function'))) return;
            // Only the difference of two instants is a time that something took.
            const isDifference = parts.some(({ type, operator }) => type === 'BinaryExpression' && operator === '-');
            if (isDifference && parts.some(readsClock)) clocks.add(node.id.name);
          },
          CallExpression(node) {
            if (!isExpect(node)) return;
            for (const argument of node.arguments)
              for (const part of partsOf(argument))
                if (readsClock(part) || (part.type === 'Identifier' && clocks.has(part.name)))
                  context.report({ node: part, message });
          },
        };
      },
    },
  },
};
