"""Lists the records of a WARC file as JSON, by the library of the Internet Archive's tools: python3 read-warc.py FILE

A digest that is not that of its record is an error.
"""

import json
import sys

from warcio.archiveiterator import ArchiveIterator

records = []
with open(sys.argv[1], "rb") as stream:
    for record in ArchiveIterator(stream, check_digests="raise"):
        http = record.http_headers
        records.append(
            {
                "type": record.rec_type,
                "url": record.rec_headers.get_header("WARC-Target-URI"),
                "status": http.get_statuscode() if http and record.rec_type == "response" else None,
                "body": record.content_stream().read().decode("utf-8", "replace"),
                "digest": record.digest_checker.passed,  # known once the body is read
            }
        )
print(json.dumps(records))
