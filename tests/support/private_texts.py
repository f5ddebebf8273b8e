"""Texts with what must not leave the machine, what is left of them, and texts that are harmless."""

from __future__ import annotations

from primad_ld.header.redaction import HOST, LOCAL_PATH, LOGIN, MAIL, REMOVED, SECRET
from primad_ld.header.redaction.form_matching import DIGITS

GITHUB = "ghp_" + "a1B2" * 9
PEM = "-----BEGIN {0}PRIVATE KEY-----\nMIIEvQ\n-----END {0}PRIVATE KEY-----"
#: Stands for what is removed in the tables below.
X = REMOVED

MAILS = {
    "ada@example.org": X,
    "mailto:ada@example.org": X,
    "Ada <ada@example.org>, Ben <ben+ir@mail.example.de>": f"Ada <{X}>, Ben <{X}>",
    "ask ada@example.org.": f"ask {X}.",  # the full stop is the sentence's
    "ada@example.org: she knows": f"{X}: she knows",  # so is a colon
    "ada@163.com": X,  # a domain may begin with a number
    "jürgen@uni-köln.de": X,
    "https://example.org/?to=ada@example.org&x=1": f"https://example.org/?to={X}&x=1",
    "https://example.org/people/ada%40example.org": f"https://example.org/people/{X}",
    "https://example.org/people/ada@example.org/": f"https://example.org/people/{X}/",
    # For people, and not for machines
    "ada [at] uni.example": X,
    "ask ada(at)uni.example, please": f"ask {X}, please",
    "ada.l (at) cs (dot) uni [dot] example": X,
}
PATHS = {
    "/home/ada/runs/run.txt": "run.txt",
    "/home/ada": X,  # the last folder is a person
    "/home/ada/": X,
    "/mnt/c/Users/ada": X,
    "/nfs/home2/ada": X,
    "/scratch/ada": X,
    "/usr/home/ada/x": "x",  # of the system, but for the people
    "/mnt/data/wapo.jsonl": "wapo.jsonl",
    "/données/ada/x": "x",
    "~/runs/x": "x",
    "~ada/x": "x",
    "file:///home/ada/x.txt": "x.txt",
    "file:/home/ada/x.txt": "x.txt",
    "FILE://localhost/C:/Users/ada/x.txt": "C:x.txt",
    "numpy @ file:///croot/numpy_1/work": "numpy @ work",
    "git+file:///home/ada/code": "git+code",
    "smb://server/share/x.txt": "x.txt",
    r"C:\Users\ada\x.txt": "x.txt",
    r"C:\Users\ada": X,
    r"D:\data\Ada Lovelace\x.txt": "x.txt",  # names of folders hold blanks there
    r"C:\\Users\\ada\\x.txt": "x.txt",  # as JSON writes it
    "C:/Users/Ada Lovelace/x.txt": "x.txt",
    r"\\server\share\ada\x.txt": "x.txt",
    r"\\\\server\\share\\x.txt": "x.txt",
    r"\Users\ada\x.txt": "x.txt",  # of the drive that somebody is on
    r"dir \Users\ada": f"dir {X}",
    "/home/Ada Lovelace/x.txt": "x.txt",
    r"/home/Ada\ Lovelace/my\ runs/x.txt": "x.txt",
    "--index=/data/idx --k1 0.9": "--index=idx --k1 0.9",
    "-I/home/ada/include": "-Iinclude",
    "cc -I/home/ada/include x.c": "cc -Iinclude x.c",
    "cd /home/ada && ./search > /home/ada/out.txt": f"cd {X} && ./search > out.txt",
    "search >/home/ada/out.txt": "search >out.txt",
    "curl -d @/home/ada/data.json": "curl -d @data.json",
    "PYTHONPATH=/home/ada/src:/home/ben/src python": "PYTHONPATH=src:src python",
    '{"path": "/home/ada/x", "k": 1}': '{"path": "x", "k": 1}',
    "(/home/ada/x)": "(x)",
    "/home/ada/a,/home/ben/b": "a,b",
    "gpu01:/data/x": "gpu01:x",
    "search /home/ada/in \\\n  --out /home/ada/out": "search in \\\n  --out out",
}
LOGINS = {
    "https://ada:pw@example.org/x": "https://example.org/x",
    "https://ada@example.org/x": "https://example.org/x",
    "https://ada:p@s:s@example.org/x": "https://example.org/x",  # a password may hold one, too
    "python x.py --db postgres://ada:pw@localhost:5432/db": (
        "python x.py --db postgres://localhost:5432/db"
    ),
    "ada@8.8.8.8:runs/x.txt": "8.8.8.8:runs/x.txt",
    "ada@gpu01.example.org:runs/x.txt": "gpu01.example.org:runs/x.txt",
    "rsync x.txt ada@gpu01.example.org:runs": "rsync x.txt gpu01.example.org:runs",
}
SECRETS = {
    GITHUB: X,
    f"clone with {GITHUB}!": f"clone with {X}!",
    "github_pat_11ABCDEFG0abcdefghijkl_mnop": X,
    "glpat-abcdefghijklmnop1234": X,
    "hf_AbCdEfGhIjKlMnOpQrStUvWxYz": X,
    "sk-proj-AbCdEfGhIjKl-MnOpQrSt1": X,
    "sk-ant-api03-AbCdEfGhIjKlMnOpQrSt1": X,
    "AKIAABCDEFGHIJKLMNOP": X,
    "xoxb-123456789012-abcdef": X,
    "AIzaSyAabcdefghijklmnopqrstuvwxyz12345": X,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl": X,
    PEM.format("RSA "): X,
    PEM.format(""): X,
    PEM.format("OPENSSH "): X,
    "-----BEGIN PRIVATE KEY-----\nMIIEvQ": X,  # cut off, and still a key
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nMII\n-----END PGP PRIVATE KEY BLOCK-----": X,
    # Options
    "x --token abc --k1 0.9": f"x --token {X} --k1 0.9",
    "x --token=abc": f"x --token={X}",
    "x --hf_token abc": f"x --hf_token {X}",
    "x --password 1234": f"x --password {X}",
    "x --password=-abc": f"x --password={X}",  # behind = nothing else begins
    'x --password "correct horse battery" y': f'x --password "{X}" y',
    "x --api-key 'correct horse'": f"x --api-key '{X}'",
    r"sh -c \"x --password \"correct horse\"\"": rf"sh -c \"x --password \"{X}\"\"",
    r'x --password "a\"b" y': rf'x --password "{X}" y',
    "java -Dapi.key=abc -jar x.jar": f"java -Dapi.key={X} -jar x.jar",
    "curl -u ada:pw https://example.org": f"curl -u {X} https://example.org",
    "curl --user 'ada:pw' x": f"curl --user '{X}' x",
    "sshpass -p hunter2 ssh x": f"sshpass -p {X} ssh x",
    "wandb login 0123456789abcdef0123456789abcdef01234567": f"wandb login {X}",
    "x --password $ecret!1": f"x --password {X}",  # no variable is called so
    # Variables
    "HF_TOKEN=abcdef python x.py": f"HF_TOKEN={X} python x.py",
    "export OPENAI_API_KEY='a b c'": f"export OPENAI_API_KEY='{X}'",
    "AWS_SECRET_ACCESS_KEY=abc/def": f"AWS_SECRET_ACCESS_KEY={X}",
    "docker run -e PASSWORD=abc x": f"docker run -e PASSWORD={X} x",
    "A=1;TOKEN=abcdef;B=2": f"A=1;TOKEN={X}",  # what ends it nobody knows
    # JSON, YAML, Python, HTTP
    '{"password": "a b", "k": 1}': f'{{"password": "{X}", "k": 1}}',
    '{"token":"a\\"b"}': f'{{"token":"{X}"}}',
    r"{\"api_key\": \"abc\"}": rf"{{\"api_key\": \"{X}\"}}",
    "{'access_token': 'abc'}": f"{{'access_token': '{X}'}}",
    '{"accessToken": "abc"}': f'{{"accessToken": "{X}"}}',
    "user: ada\npassword: correct horse\nk: 1": f"user: ada\npassword: {X}\nk: 1",
    "Password: hunter2": f"Password: {X}",
    "password = hunter2": f"password = {X}",
    "Authorization: Bearer abcdefghijkl": f"Authorization: Bearer {X}",
    "Authorization: Basic YWRhOnB3": f"Authorization: Basic {X}",
    "curl -H 'X-Api-Key: abc'": f"curl -H 'X-Api-Key: {X}'",
    "with bearer 0123456789abcdef": f"with bearer {X}",
    # Names that hold such a word, however they are written
    "PGPASSWORD=abc psql --auth=def": f"PGPASSWORD={X} psql --auth={X}",
    "export MYSQL_PWD=abc": f"export MYSQL_PWD={X}",
    "DB_PASS=abc x": f"DB_PASS={X} x",
    "x --db-pass abc --k1 0.9": f"x --db-pass {X} --k1 0.9",
    "x --dbPassword 'a b' y": f"x --dbPassword '{X}' y",
    "x --pw=abc": f"x --pw={X}",
    "dbPassword: correct horse\nk: 1": f"dbPassword: {X}\nk: 1",
    "pass: hunter15": f"pass: {X}",
    "auth: hunter24": f"auth: {X}",
    "as ada with token: hunter21": f"as ada with token: {X}",
    "{user: ada, pass: hunter15}": f"{{user: ada, pass: {X}}}",
    '{"pass": "abc"}': f'{{"pass": "{X}"}}',
    '{"db":{"pw":"abc"}}': f'{{"db":{{"pw":"{X}"}}}}',
    # Identifiers with the secret beside them
    f"twilio AC{DIGITS}:{DIGITS} x": f"twilio {X} x",
    f"AC{DIGITS} / {DIGITS}": X,
    "https://outlook.office365.com/webhook/a@b/IncomingWebhook/c/d": (
        f"https://outlook.office365.com/webhook/{X}"
    ),
    # The only words of a login, or its input
    "sudo -S x <<<'hunter2'": f"sudo -S x <<<'{X}'",
    "echo hunter2 | vault login -": f"echo {X} | vault login -",
    "htpasswd -c -b f u hunter2": f"htpasswd -c -b f u {X}",
    "htpasswd -nbB u 'a b'": f"htpasswd -nbB u '{X}'",
    "smbclient //x/y -Uada%hunter2": f"smbclient //x/y -U{X}",
    "openssl aes-256-cbc -d -k hunter2": f"openssl aes-256-cbc -d -k {X}",
    "rar a -hphunter2 x.rar": f"rar a -hp{X} x.rar",
    # What stands beside a password stays
    "mysql -u root -pX db": f"mysql -u root -p{X} db",
    "podman login -pX quay.io": f"podman login -p{X} quay.io",
    # A value behind its option without a blank, for those that read it so
    "mysql -u ada -phunter12 db": f"mysql -u ada -p{X} db",
    "mysqldump -p'hunter12' db": f"mysqldump -p'{X}' db",
    "sshpass -phunter12 ssh x": f"sshpass -p{X} ssh x",
    # Said in a sentence
    "the password is hunter2": f"the password is {X}",
    "The passphrase is: h!x, of course": f"The passphrase is: {X} of course",
    # Cookies
    "Cookie: a=b; c=d": f"Cookie: {X}",
    "curl -b 'session=abcd1234' x": f"curl -b 'session={X}' x",
    # Addresses
    "https://example.org/?pass=hunter2&x=1": f"https://example.org/?pass={X}&x=1",
    "https://example.org/?session=abc1": f"https://example.org/?session={X}",
    "https://example.org/?token=abc&x=1": f"https://example.org/?token={X}&x=1",
    "https://example.org/?x=1&access_token=abc": f"https://example.org/?x=1&access_token={X}",
    "https://example.org/?key=abc123": f"https://example.org/?key={X}",
    "https://example.org/#access_token=abc": f"https://example.org/#access_token={X}",
    "https://x.example.org/?X-Amz-Signature=abc": f"https://x.example.org/?X-Amz-Signature={X}",
}
#: As it looks, and not as it is written: it stays but for what is left out.
DISGUISED = {
    "pa\u200bssword: hunter2": f"pa\u200bssword: {X}",  # a space without width
    "x --tok\u00aden hunter2 --k1 0.9": f"x --tok\u00aden {X} --k1 0.9",  # a soft hyphen
    "p\u0430ssword=hunter2 \u00bd": f"p\u0430ssword={X} \u00bd",  # a Cyrillic letter
    "\u03a1ASSWORD=hunter2": f"\u03a1ASSWORD={X}",  # a Greek one
    "p\u00e1ssword=hunter2": f"p\u00e1ssword={X}",  # one with a mark
    "\uff50\uff41\uff53\uff53=hunter2": f"\uff50\uff41\uff53\uff53={X}",  # of full width
    "password\uff1a hunter2 horse\nk: 1": f"password\uff1a {X}\nk: 1",  # a colon of full width
    "pass\x00word=hunter2": f"pass\x00word={X}",  # a control
    "password=hun\u200bter2 --k1 0.9": f"password={X} --k1 0.9",  # inside of the secret
    "\ufb03 gh\u200bp_a1B2a1B2a1B2a1B2a1B2a1 \ufb03": f"\ufb03 {X} \ufb03",  # and more letters around
    "docker lo\u2060gin -p hunter2\u200b": f"docker lo\u2060gin -p {X}",
}
SEVERAL = {
    "ada\uff20example.org": (X, (MAIL,)),
    "\u200b10\uff0e0\uff0e0\uff0e5\u200b": (f"\u200b{X}", (HOST,)),
    # More of the forms than an example shows
    "docker login -u a \\\n -p \\\n hunter2 \\\n x": (
        f"docker login -u a \\\n -p \\\n {X} \\\n x",
        (SECRET,),
    ),
    "podman --root x login -p='a b' x": (f"podman --root x login -p='{X}' x", (SECRET,)),
    "x --password \\\n hunter2 \\\n --k1 0.9": (f"x --password \\\n {X} \\\n --k1 0.9", (SECRET,)),
    "username: ada\nkey: 0a1B2c3D4e5F": (f"username: ada\nkey: {X}", (SECRET,)),
    "machine h\n  password hunter2\n": (f"machine h\n  password {X}\n", (SECRET,)),
    "npm config set //x.org/:_authToken abc": (
        f"npm config set //x.org/:_authToken {X}",
        (SECRET,),
    ),
    "http://[fd00::1]/x": (f"http://{X}/x", (HOST,)),
    "ssh://git@gitlab.corp:22/x": (f"ssh://git@{X}:22/x", (HOST,)),
    "http://ada:pw@10.1.2.3:9200/robust04": (f"http://{X}:9200/robust04", (HOST, LOGIN)),
    "sshpass -p hunter2 ssh -p 2222 ada@gpu01 x --k1 0.9": (
        f"sshpass -p {X} ssh -p 2222 {X} x --k1 0.9",
        (SECRET, HOST, LOGIN),
    ),
    f"https://x:{GITHUB}@github.com/x/y": ("https://github.com/x/y", (SECRET, LOGIN)),
    "scp /home/ada/x ada@gpu01:/home/ada/x": (f"scp x {X}:x", (HOST, LOGIN, LOCAL_PATH)),
    "ada@gpu01:runs/x.txt": (f"{X}:runs/x.txt", (HOST, LOGIN)),
    "ada@10.0.0.1:runs/x.txt": (f"{X}:runs/x.txt", (HOST, LOGIN)),
    "ssh ada@gpu01.example.org x": (f"ssh {X} x", (HOST, LOGIN)),
    "ask ada@mail.corp": (f"ask {X}", (HOST, LOGIN)),
    "cd x && ssh -t cluster ls": (f"cd x && ssh -t {X} ls", (HOST,)),
    "ssh -o 'ProxyJump jump3' -p 22 gpu4 ls": (f"ssh -o 'ProxyJump {X}' -p 22 {X} ls", (HOST,)),
    "ssh es.example.org ls": (f"ssh {X} ls", (HOST,)),
    "as we ssh node7 ls": (f"as we ssh {X} ls", (HOST,)),
    "server: es1, node: node-7": (f"server: {X}, node: {X}", (HOST,)),
    "we log in by ssh to gpu90, then": (f"we log in by ssh to {X}, then", (HOST,)),
    "SLURMD_NODENAME=gpu79 x": (f"SLURMD_NODENAME={X} x", (HOST,)),
    "on\nnode: gpu79\nk1: 0.9": (f"on\nnode: {X}\nk1: 0.9", (HOST,)),
    # An address unless a name of software is directly before it
    **{
        f"{before}10.0.0.5{after}": (f"{before}{X}{after}", (HOST,))
        for before, after in (
            *(
                ("", ""),
                ("on ", ""),
                ("IP: ", ""),
                ("x ", ""),
                ("the server (", ")"),
                ("ping ", ""),
            ),
            *(("Elasticsearch at ", ""), ("Elasticsearch ", ":9200"), ("Lucene ", "/24")),
            *(
                ("elasticsearch: ", ""),
                ("--elasticsearch ", ""),
                ("--host ", ""),
                ("http://", "/x"),
            ),
            *(("gpu-01 ", ""), ("node7 ", ""), ("./run.sh ", ""), ("indexed ", "")),
            *(("Lucene\n", ""), ("Lucene, ", "")),
        )
    },
    "Elasticsearch 10.0.1.2 on 10.0.0.5": (f"Elasticsearch 10.0.1.2 on {X}", (HOST,)),
    "Router 192.168.1.20, Lucene 192.168.1.20": (f"Router {X}, Lucene {X}", (HOST,)),
    f"x --token={GITHUB}.more": (f"x --token={X}", (SECRET,)),
    "/home/ben@example.org/x": (f"/home/{X}/x", (MAIL,)),
}

HARMLESS = [
    # Measures and versions are no addresses
    *("AP@10 P@5 nDCG@10 P@5.x recall@1000".split()),
    "nDCG@10:0.5, AP@1000:0.2",
    "org.apache.lucene:lucene@9.1.beta",
    "left-pad@1.3.0",
    "pkg @ git+https://github.com/x/y@v1.0",
    "Lucene 10.1.2.0, Java (10.0.2.1) and OpenSearch 10.0.1.2.",
    "lucene: 10.1.2.0, lucene=10.1.2.0 elasticsearch-py 10.0.1.2",
    "x --lucene-version 10.1.2.0 --version=10.0.0.1 luceneVersion: 10.1.2.0",
    # Names with slashes are no paths
    "beir/nfcorpus/test",
    "msmarco-passage/trec-dl-2019/judged",
    "TCP/IP and/or 1/2, km/h",
    "src/main/java ./search ../data/x",
    "s3://bucket/x hdfs://host/x",
    "/usr/bin/python /bin/bash -c /etc/hosts /dev/null",
    "todos in the home directory /home are searched",
    "</s> <b>/</b> s/a/b/ /^a+$/ 1 /m/ 2",
    "approx. ~1000 of ~10/20",
    r"C:\ and \alpha\beta \\ \hline",
    # Addresses of the web
    "https://doi.org/10.1145/3477495.3531738",
    "https://orcid.org/0000-0002-1825-0097",
    "0000-0002-1825-0097",
    "https://example.org/~ada/x https://example.org/home/ada/x",
    "https://example.org/@ada/x",
    "https://example.org/a?q=b@c&key=title",
    "https://unpkg.com/pkg@1.2.3/x.js",
    "git@github.com:x/y.git ssh://git@github.com/x/y",
    "http://example.org:8080/a:/b",
    "@ada on a network, @misc{key, author={a}}",
    # Tokens of texts, and words that only sound like secrets
    "--tokenizer whitespace --max-tokens 512 --max_token 51200",
    "max_token=51200 token=512 --sep-token [SEP] --eos_token=</s> pad_token=[PAD]",
    '{"eos_token": "</s>", "mask_token": "<mask>"}',
    "Late interaction over token embeddings, with a secret ingredient.",
    "The api key terms of a query are weighed by their max-token scores.",
    "We keep the password hashes of no one.",
    "the highs_and_lows_of_retrieval_models_of_today",
    "task-specific-fine-tuning-of-things, risk-sensitive-evaluation-of-runs",
    "sk-learn-based-classification-of-queries",
    "the bearer of understanding",
    "python -u search.py --user ada",
    "docker run -u 1000:1000 x",
    "max_tokens=512,pass=2,depth=100 token limit=4k per token: 0.3ms",
    "first pass: bm25, second pass: monoT5, in a two-pass: x1",
    "x --pass 2 --passes 3 --first-pass bm25 --auth none",
    '{"unk_token": "w3", "pass": "2", "auth": "basic", "tokens": "t5 pieces"}',
    "auth:\n  k1: 0.9",  # what is below a name is no value of it
    "the passage: 1a, secretion=3, author=ada1, authors: Ada-1, authority=a1",
    "tokenizer=bm25s tokenization: v2 bypass=a1 compass: n1",
    "x -p 0.8 -p 8080 -p abc",
    "psql -p 5432 -h x",
    "the password is required. The password was wrong! Its password is 8 characters long",
    "session=3 session=day1 session=trec2014 --session=2014a",
    "Cookie: what users of the web eat",
    # Nobody is at these
    "P(at)10 recall (at) 10.5, look {at} this.",
    r"\Users \home \alpha\home",
    # Places that somebody is to fill in
    "x --token $TOKEN --password ${PASSWORD} --api-key <key>",
    "curl -H 'Authorization: Bearer $TOKEN'",
    "x --token --k1 0.9",
    "password: null",
    "password: none",
    "docker login --password-stdin ghcr.io --password-file x --password-prompt me",
    # Other scripts, and signs that look like others
    "K\u00f6ln \u00bd 10\u00b2 \u2026 \u201cx\u201d \u043f\u0430\u0440\u043e\u043b\u044c: x1",
    # What is said of logins and of nodes
    "ssh keys were used, by ssh v2, ssh ed25519 and ssh 2 times",
    "ssh -T git@github.com && ssh github.com",
    "node: A100, node: m5.4xlarge, server: RTX3090, machine: DGX-2",
    "node: v18.2, server: jetty9, machine: x86_64, nodes: 4, server: dedicated",
    "vault login -method=oidc role=x",
    f"AC{DIGITS[:31]}:{DIGITS}",
    # Nothing at all
    *("", "bm25", "0.90", "Porter", REMOVED, "two\nlines", "-----BEGIN PUBLIC KEY-----"),
]
