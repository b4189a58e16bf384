"""Ordinary notes in several languages, made from a seeded generator: what a screen must leave alone.

Many speak of passwords, tokens and numbers without holding a secret.
"""

from __future__ import annotations

import base64
import hashlib
import random
import uuid
from collections.abc import Callable

Line = Callable[[random.Random], str]

_PEOPLE = (
    "Lina",
    "Ana",
    "Tom",
    "Mira",
    "Jonas",
    "Eva",
    "Pavel",
    "Кира",
    "Олег",
    "Zoë",
    "Inés",
    "Björn",
    "由美",
    "Émile",
    "Chloé",
)
_THINGS = (
    "bike",
    "piano",
    "garden",
    "kitchen",
    "laptop",
    "router",
    "passport",
    "car",
    "balcony",
    "desk",
    "camera",
    "printer",
    "thermostat",
)
_PLACES = (
    "Porto",
    "Setúbal",
    "Kyoto",
    "Zürich",
    "Łódź",
    "Graz",
    "Тбилиси",
    "Lyon",
    "Málaga",
    "Oslo",
    "Ghent",
)
_TOOLS = (
    "1Password",
    "Bitwarden",
    "KeePassXC",
    "Keychain",
    "Dashlane",
    "pass",
)

_BOOKING = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

_FIXED: tuple[str, ...] = (
    "Likes dinosaurs. Starts school in August.",
    "Prefers trains over planes; two weeks by the sea every May.",
    "password",
    "Password manager: Bitwarden",
    "I keep my passwords in 1Password.",
    "The password is written on the fridge.",
    "The password is changed every 90 days.",
    "Password: ask Ana",
    "Forgot the password again; reset it on Monday.",
    "The wifi password is on the back of the router.",
    "wifi password: see the card in the drawer",
    "Passwords must be at least 12 characters long.",
    "Password reset emails land in spam.",
    "His password is the name of his dog, he says.",
    "password policy: 14 characters, no rotation",
    "The passphrase should be six words.",
    "PIN: ask at the desk",
    "My PIN has 6 digits now.",
    "pin 13 of the board drives the LED",
    "PIN code: 560001 (Bengaluru)",
    "The door code changes every month.",
    "Gate code: call the porter",
    "dress code: smart casual",
    "Zip code 94043, area code 415",
    "error code 4042 means no paper",
    "promo code SAVE20 until Friday",
    "country code 0049",
    "source code: 4521 lines",
    'token = os.environ["TOKEN"]',
    "token = get_token()",
    "api_key: ${API_KEY}",
    "API_KEY=<your-key>",
    "password: xxxx",
    "password=changeme",
    "secret: he does not like surprises",
    "The secret ingredient is cardamom.",
    "secret santa: budget 20 euros",
    "The key is under the pot.",
    "key takeaways: sleep more, plan less",
    "Keys: house, bike, office",
    "key: value",
    "A token is about four letters.",
    "max_tokens: 4096",
    "token budget 2048 bytes",
    "token_count = len(tokens)",
    "Access token expires after 3600 seconds.",
    "Bearer tokens are short-lived.",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "curl -H 'Authorization: Bearer $GITHUB_TOKEN' https://api.github.com/user",
    "git clone https://github.com/ana/notes.git",
    "ssh ana@10.0.0.5 -p 2222",
    "postgres://localhost:5432/main",
    "postgres://user:password@localhost/db",
    "https://user:pass@example.com is how the manual writes it",
    "redis://localhost:6379/0",
    "mailto:ana@example.com",
    "https://medium.com/@ana/how-i-sleep-1234567890ab",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz/edit",
    "https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC?si=abc",
    "https://maps.app.goo.gl/8kJq3nM5vW2xYz1A7",
    "https://www.amazon.de/dp/B08N5WRWNW/ref=sr_1_3?keywords=lamp&qid=1612345678&sr=8-3",
    "-----BEGIN CERTIFICATE----- is how the file begins",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx2 ana@laptop",
    "Fingerprint: SHA256:uNiVztksCsDhcc0u9e8BrXXVqy0v",
    "E = mc², and ∑ i² = n(n+1)(2n+1)/6",
    "f(x) = a*x**2 + b*x + c",
    "50% off, 20%20 and &amp; &lt;b&gt; C:\\users\\new",
    "~/notes/2024-budget-plan.md",
    "[[2024-01-10 Meeting]] #work/secret-santa #keys",
    "- [x] renew the passport\n- [ ] new keys for the flat\n- [ ] change passwords",
    "| name | age |\n|---|---|\n| Lina | 8 |",
    "1. milk\n2. eggs\n3. bread\n4. butter\n5. apples\n6. rice\n7. beans\n8. tea\n9. salt\n10. "
    "oil\n11. onion\n12. lemon",
    "Tuning: E A D G B E\nChords: C G Am F C G Am F C G Am F",
    "a b c d e f g h i j k l m n o p",
    "S.O.S. — R.S.V.P. — A.K.A. — U.S.A. — e.g. — i.e.",
    "B-A-C-H is a motif; D-S-C-H too",
    "Login: with the company account",
    "login: via SSO",
    "user: Ana, role: admin",
    "username: ana, see the vault for the rest",
    "credentials: in the vault",
    "admin: Tom and Mira",
    "recovery codes are in the safe",
    "Backup codes: printed, in the blue folder",
    "recovery plan: 3 runs a week, 20 minutes each",
    "backup: 2024-03-01, 2024-04-01 and 2024-05-01",
    "seed: 42",
    "seed phrase is in the safe, on steel",
    "Plant the seed in March, water it every day, and keep it warm.",
    "wallet: brown leather, lost in May",
    "session 12: breathing, posture, silence",
    "session = requests.Session()",
    "cookie: two eggs, 200 g of flour",
    "JWT stands for JSON Web Token.",
    "Private key and public key belong together.",
    "client_secret: stored in the keyring",
    "SECRET_KEY = config('SECRET_KEY')",
    "private_key_path: ~/.ssh/id_ed25519",
    "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
    "pwd: current directory",
    "pwd=$(pwd)",
    "Das Passwort steht auf dem Zettel am Kühlschrank.",
    "Passwort: bei Jonas erfragen",
    "Passwörter gehören in den Manager.",
    "Das WLAN-Passwort ist zu lang.",
    "Die PIN hat vier Stellen.",
    "Schlüssel liegt unter der Matte",
    "Le mot de passe est écrit au dos.",
    "mot de passe : demander à Chloé",
    "Le code secret change chaque mois.",
    "La clé est chez la voisine.",
    "La contraseña está en la nevera.",
    "contraseña: pedir a Inés",
    "La clave es dormir bien.",
    "La password è scritta sul frigo.",
    "A senha está no cofre.",
    "Het wachtwoord staat op de koelkast.",
    "Hasło jest na lodówce.",
    "Heslo je na lednici.",
    "Lösenordet finns i valvet.",
    "Şifre buzdolabında yazıyor.",
    "A jelszó a hűtőn van.",
    "Пароль написан на холодильнике.",
    "Привет, пароль: спросить у Ани",
    "Пароли храню в менеджере.",
    "Ключ под ковриком.",
    "Код ошибки 4042",
    "пин-код забыл, спросить в банке",
    "Паролем пользуются все.",
    "パスワードは冷蔵庫に貼ってある。",
    "密码写在冰箱上。",
    "비밀번호는 냉장고에 있다.",
    "כתוב על המקרר",
    "كلمة السر مكتوبة على الثلاجة",
    "Reads Tolstoy, Ginzburg and Le Guin; no thrillers.",
    "Knee: no hills, swim twice a week.",
    "Allergic to penicillin since 2009.",
    "Rent 1,450 a month, due on the 3rd.",
    "Shoe size 43, jacket 50, ring 58",
    "WPA2-PSK, channel 11, 80 MHz",
    "sk-learn pipeline for 2024, see task-management-for-two-or-more-people",
    "disk-usage-report-2024-for-the-whole-department",
    "Ask before changing the password hash to argon2id.",
    "lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut "
    "labore et dolore magna "
    "aliqua.",
    "ATATTATGCGCATTAGGCTAACGT",
    "WASD, QWERTY, AZERTY and Dvorak",
    "ABBA CDDC EFFE",
)


def _hash(chosen: random.Random) -> str:
    data = chosen.randbytes(16)
    return chosen.choice(
        (
            f"commit {hashlib.sha1(data).hexdigest()}",
            f"sha256: {hashlib.sha256(data).hexdigest()}",
            f"md5 {hashlib.md5(data).hexdigest()}  photo.jpg",
            f"fixed in {hashlib.sha1(data).hexdigest()[: chosen.choice((7, 8, 12))]}",
            f"id {uuid.UUID(bytes=data, version=4)}",
            f"integrity sha512-{base64.b64encode(hashlib.sha512(data).digest()).decode()}",
            f"docker pull notes@sha256:{hashlib.sha256(data).hexdigest()}",
            f"![dot](data:image/png;base64,{base64.b64encode(chosen.randbytes(300)).decode()})",
            base64.b64encode(chosen.randbytes(60)).decode(),
        )
    )


def _number(chosen: random.Random) -> str:
    digits = "".join(str(chosen.randrange(10)) for _ in range(30))
    return chosen.choice(
        (
            f"ISBN 978-3-{digits[:2]}-{digits[2:8]}-{digits[8]}",
            f"ISBN 978{digits[:10]}",
            f"+41 44 {digits[:3]} {digits[3:5]} {digits[5:7]}",
            f"tel. 0{digits[:3]}/{digits[3:10]}",
            f"IBAN CH{digits[:2]} {digits[2:6]} {digits[6:10]} {digits[10:14]} {digits[14:18]} {digits[18]}",
            f"order {digits[: chosen.choice((8, 10, 12, 14))]}",
            f"tracking number: {digits[: chosen.choice((12, 14, 16, 20))]}",
            f"1Z{digits[:16]}",
            f"{chosen.uniform(-90, 90):.6f}, {chosen.uniform(-180, 180):.6f}",
            f"{chosen.randrange(1_600_000_000, 1_800_000_000)}-run-5k-under-25-minutes.md",
            f"at {chosen.randrange(1_600_000_000_000, 1_800_000_000_000)} ms",
            f"invoice 2024-{digits[:6]} over {digits[:3]}.{digits[3:5]}",
            f"flight LX {digits[:4]}, seat 12A, booking ref {''.join(chosen.choices(_BOOKING, k=6))}",
            f"splits {', '.join(str(chosen.randrange(10, 300)) for _ in range(chosen.randrange(4, 14)))}",
            f"{digits[:2]}:{digits[2:4]} {digits[4:6]}:{digits[6:8]}",
            f"serial no. {digits[:5]}-{digits[5:10]}-{digits[10:15]}",
            f"MAC {':'.join(f'{each:02x}' for each in chosen.randbytes(6))}",
            f"fe80::{chosen.randbytes(2).hex()}:{chosen.randbytes(2).hex()}",
            f"account number {digits[:10]}",
            f"3.{digits}",
        )
    )


def _sentence(chosen: random.Random) -> str:
    who, thing, place, tool = (chosen.choice(each) for each in (_PEOPLE, _THINGS, _PLACES, _TOOLS))
    year, number = chosen.randrange(1990, 2031), chosen.randrange(2, 90)
    return chosen.choice(
        (
            f"{who} moved to {place} in {year} and sold the {thing}.",
            f"{who}'s password for the {thing} is in {tool}.",
            f"Changed the {thing} password on {year}-0{number % 9 + 1}-1{number % 9}; it is in {tool}.",
            f"The {thing} key is with {who}.",
            f"{who}: birthday {number % 28 + 1}.{number % 12 + 1}.{year}",
            f"The code for the {thing} project is on GitHub; version {number}.{year % 10}.{number % 7}.",
            f"Password hint: first {thing}, then the year.",
            f"The token for the {thing} expires in {number} days; {who} renews it.",
            f"PIN for the {thing}: ask {who}.",
            f"{who} wants to run {number} km before {year}.",
            f"{who} a déménagé à {place} en {year}; le mot de passe du {thing} est chez {tool}.",
            f"{who} ist {year} nach {place} gezogen; das Passwort liegt in {tool}.",
            f"{who} vive en {place} desde {year}; la contraseña está en {tool}.",
            f"{who} живёт в {place} с {year} года; пароль лежит в {tool}.",
            f"The secret of a good {thing}: clean it every {number} days.",
            f"user {who}, {number} logins since {year}",
            f"Meeting {year}-11-{number % 28 + 1:02} {number % 24:02}:30 about the {thing}; {who} takes notes.",
            f"{place.lower()}-{thing}-{year}.md",
        )
    )


def note(chosen: random.Random) -> str:
    """One note of two to nine lines."""
    makers: tuple[Line, ...] = (
        _sentence,
        _sentence,
        _number,
        _hash,
        lambda c: c.choice(_FIXED),
        lambda c: c.choice(_FIXED),
    )
    lines = [chosen.choice(makers)(chosen) for _ in range(chosen.randrange(2, 10))]
    mark = chosen.choice(("", "", "- ", "> ", "* "))
    gap = chosen.choice(("\n", "\n", "\n\n"))
    return f"# {chosen.choice(_THINGS).title()}\n\n" + gap.join(mark + line for line in lines) + "\n"


def fixed_lines() -> tuple[str, ...]:
    """Every line that is always the same, alone."""
    return _FIXED
