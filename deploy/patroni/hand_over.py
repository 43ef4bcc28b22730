#!/usr/bin/env python3
"""Makes another server the leader when the disk of this one is almost full. Runs next to Patroni, on each server.

PostgreSQL with a full disk refuses writes and stays the leader: Patroni sees a server that runs. Settings come from the environment:
PATRONI_NAME, PATRONI_RESTAPI_CONNECT_ADDRESS, PATRONI_POSTGRESQL_DATA_DIR, PATRONI_RESTAPI_USERNAME and PATRONI_RESTAPI_PASSWORD
(both optional), and DISK_FREE_MIN_MB (default 64: four segments of the write-ahead log).
"""

import base64
import json
import os
import shutil
import time
import urllib.error
import urllib.request

INTERVAL_S = 1
TIMEOUT_S = 20


def main() -> None:
    name = os.environ['PATRONI_NAME']
    folder = os.environ['PATRONI_POSTGRESQL_DATA_DIR']
    free_min = int(os.environ.get('DISK_FREE_MIN_MB', '64')) * 1024 * 1024
    while True:
        time.sleep(INTERVAL_S)
        try:
            free = shutil.disk_usage(folder).free
            if free >= free_min or not is_leader():
                continue
            print(f'{free} bytes are free, fewer than {free_min}: handing over', flush=True)
            print(request('/switchover', {'leader': name}), flush=True)
        except OSError as error:
            # The data folder does not exist yet, Patroni does not answer, or no server can take over: try again.
            print(f'the disk was not checked, or not handed over: {error}', flush=True)


def is_leader() -> bool:
    try:
        request('/primary')
        return True
    except urllib.error.HTTPError:
        return False


def request(path: str, body: object = None) -> str:
    headers = {'content-type': 'application/json'}
    user = os.environ.get('PATRONI_RESTAPI_USERNAME')
    if user is not None:
        secret = f'{user}:{os.environ["PATRONI_RESTAPI_PASSWORD"]}'
        headers['authorization'] = f'Basic {base64.b64encode(secret.encode()).decode()}'
    data = None if body is None else json.dumps(body).encode()
    url = f'http://{os.environ["PATRONI_RESTAPI_CONNECT_ADDRESS"]}{path}'
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=TIMEOUT_S) as answer:
        return answer.read(1024).decode(errors='replace')


main()
