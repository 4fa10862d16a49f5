import { Button, CopyButton } from '@mantine/core';
import classes from './copyable-code.module.css';

/** A command to paste elsewhere, whole to see and one press to copy. */
export function CopyableCode({ code }: { code: string }) {
  return (
    <div className={classes.box}>
      <code className={classes.code}>{code}</code>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy} miw={84}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
