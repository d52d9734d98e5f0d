"""What a page shows of another file is still there.

<!-- from FILE --> stands above a fenced block; the block must occur in FILE, word for word.
usage: quotes.py PAGE...
"""

import re
import sys

QUOTE = re.compile(r"<!-- from (\S+) -->\n```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)

stale = 0
for page in sys.argv[1:]:
    with open(page, encoding="utf-8") as text:
        for source, quoted in QUOTE.findall(text.read()):
            with open(source, encoding="utf-8") as original:
                if quoted in original.read():
                    print(f"{page}: as in {source}")
                else:
                    print(f"{page}: this is no longer in {source}:\n{quoted}")
                    stale += 1
sys.exit(stale > 0)
